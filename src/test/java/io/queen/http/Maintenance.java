package io.queen.http;

import io.queen.config.MaintenanceFlags;
import io.restassured.RestAssured;

/** Switches push maintenance, by its route where the server has one. */
final class Maintenance {
    private final MaintenanceFlags flags;

    Maintenance(MaintenanceFlags flags) {
        this.flags = flags;
    }

    void push(boolean on) {
        int status = RestAssured.given()
                .contentType("application/json")
                .body("{\"enabled\":" + on + "}")
                .post("/api/v1/system/maintenance")
                .statusCode();
        if (status == 404) {
            flags.set(on, false);
        }
    }

    static long pending() {
        return RestAssured.get("/api/v1/status/buffers").jsonPath().getLong("pending");
    }
}
