package io.queen.testing;

import static io.restassured.RestAssured.given;

import io.restassured.response.ValidatableResponse;
import java.util.List;

/** What tests of groups do over HTTP. */
public final class Groups {
    private Groups() {}

    public static ValidatableResponse seek(String group, String queue, String body) {
        return Client.post("/api/v1/consumer-groups/" + group + "/queues/" + queue + "/seek", body);
    }

    public static ValidatableResponse seek(String group, String queue, String partition, String body) {
        String path = "/api/v1/consumer-groups/" + group + "/queues/" + queue + "/partitions/" + partition + "/seek";
        return Client.post(path, body);
    }

    public static ValidatableResponse delete(String path, Object... query) {
        return given().queryParams(Pops.query(query))
                .delete("/api/v1/consumer-groups/" + path)
                .then();
    }

    /** Everything that the group can get now, from any partition, acknowledged at once. */
    public static List<Integer> drain(String queue, String group) {
        return Pops.data(Pops.pop(queue, "consumerGroup", group, "batch", 100, "partitions", 100, "autoAck", true));
    }
}
