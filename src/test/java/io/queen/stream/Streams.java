package io.queen.stream;

import static io.queen.testing.Client.post;

import io.queen.testing.Partitions;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;

/** Requests of the workers of a stream. */
final class Streams {
    static final String GROUP = "streams.test";

    private Streams() {}

    static ValidatableResponse register(String name, String source, String hash, String more) {
        return post(
                "/streams/v1/queries",
                "{\"name\":\"" + name + "\",\"source_queue\":\"" + source + "\",\"config_hash\":\"" + hash + "\"" + more
                        + "}");
    }

    /** A new query of that queue. */
    static UUID query(String source) {
        return UUID.fromString(register(Partitions.name("query"), source, "h", "")
                .statusCode(200)
                .extract()
                .path("query_id"));
    }

    /** The fields come after the ids and the group: {@code ,"state_ops":[…]}. */
    static ValidatableResponse cycle(UUID query, UUID partition, String... fields) {
        return post("/streams/v1/cycle", body(query, partition, fields));
    }

    static String body(UUID query, UUID partition, String... fields) {
        return "{\"query_id\":\"" + query + "\",\"partition_id\":\"" + partition + "\",\"consumer_group\":\"" + GROUP
                + "\"" + String.join("", fields) + "}";
    }

    static String ops(String... operations) {
        return ",\"state_ops\":[" + String.join(",", operations) + "]";
    }

    static String upsert(String key, String value) {
        return "{\"type\":\"upsert\",\"key\":\"" + key + "\",\"value\":" + value + "}";
    }

    static String delete(String key) {
        return "{\"type\":\"delete\",\"key\":\"" + key + "\"}";
    }

    static String pushes(String... items) {
        return ",\"push_items\":[" + String.join(",", items) + "]";
    }

    static String push(String queue, String payload, String more) {
        return "{\"queue\":\"" + queue + "\",\"payload\":" + payload + more + "}";
    }

    static String ack(String transactionId, UUID lease, String more) {
        return ",\"ack\":{\"transactionId\":\"" + transactionId + "\",\"leaseId\":\"" + (lease == null ? "" : lease)
                + "\"" + more + "}";
    }

    static ValidatableResponse state(UUID query, UUID partition, String more) {
        return post(
                "/streams/v1/state/get",
                "{\"query_id\":\"" + query + "\",\"partition_id\":\"" + partition + "\"" + more + "}");
    }
}
