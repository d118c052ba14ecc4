package io.queen.web;

import io.queen.runtime.MaintenanceFlags;
import io.restassured.RestAssured;

/** Switches push maintenance, by its route where the server has one. */
public final class Maintenance {
    private final MaintenanceFlags flags;

    public Maintenance(MaintenanceFlags flags) {
        this.flags = flags;
    }

    public void push(boolean on) {
        int status = RestAssured.given()
                .contentType("application/json")
                .body("{\"enabled\":" + on + "}")
                .post("/api/v1/system/maintenance")
                .statusCode();
        if (status == 404) {
            flags.set(on, false);
        }
    }

    public static long pending() {
        return RestAssured.get("/api/v1/status/buffers").jsonPath().getLong("pending");
    }
}
