package io.queen.testing;

import io.restassured.RestAssured;

/** Push maintenance, over its routes. */
public final class Maintenance {
    private Maintenance() {}

    public static void push(boolean on) {
        Client.post("/api/v1/system/maintenance", "{\"enabled\":" + on + "}").statusCode(200);
    }

    /** How many messages wait in the file buffer. */
    public static long pending() {
        return RestAssured.get("/api/v1/status/buffers").jsonPath().getLong("pending");
    }
}
