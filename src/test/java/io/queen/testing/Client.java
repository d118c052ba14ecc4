package io.queen.testing;

import static io.restassured.RestAssured.given;

import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;

/** Sends bodies as they are. */
public final class Client {
    private Client() {}

    public static ValidatableResponse post(String path, String body) {
        return post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    public static ValidatableResponse post(String path, byte[] body) {
        return given().config(RawBodies.CONFIG)
                .contentType("application/json")
                .body(body)
                .post(path)
                .then();
    }

    public static ValidatableResponse push(String... items) {
        return post("/api/v1/push", "{\"items\":[" + String.join(",", items) + "]}");
    }

    /** An item; the payload is JSON text. */
    public static String item(String queue, String partition, String transactionId, String payload) {
        return "{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\",\"payload\":%s}"
                .formatted(queue, partition, transactionId, payload);
    }
}
