package io.queen.series;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@QuarkusTest
class MinuteBucketsTest {
    @Inject
    MinuteBuckets buckets;

    private final String queue = Partitions.name("buckets");

    private void write() {
        buckets.write().await().atMost(Duration.ofSeconds(30));
    }

    /** The sum over all rows of the queue: the server may have written one in between. */
    private long written(String figure) {
        try (Sql sql = Sql.open()) {
            return sql.number(
                    "select coalesce(sum((metrics ->> ?)::numeric), 0) from queen.metric_buckets where queue_name = ?",
                    figure,
                    queue);
        }
    }

    private void push(String... transactionIds) {
        StringBuilder items = new StringBuilder();
        for (String id : transactionIds) {
            items.append(items.isEmpty() ? "" : ",")
                    .append("{\"queue\":\"%s\",\"transactionId\":\"%s\",\"payload\":1}".formatted(queue, id));
        }
        given().contentType("application/json")
                .body("{\"items\":[" + items + "]}")
                .post("/api/v1/push")
                .then()
                .statusCode(201);
    }

    private String pop(String query) {
        return given().get("/api/v1/pop/queue/" + queue + "?" + query).asString();
    }

    @Test
    void write_afterTraffic_tellsWhatEachOperationDid() {
        push("a", "b", "b");
        push("a", "c");
        JsonObject popped = new JsonObject(pop("batch=2"));
        JsonObject first = popped.getJsonArray("messages").getJsonObject(0);
        given().contentType("application/json")
                .body(new JsonObject()
                        .put("transactionId", first.getString("transactionId"))
                        .put("partitionId", first.getString("partitionId"))
                        .put("leaseId", first.getString("leaseId"))
                        .encode())
                .post("/api/v1/ack")
                .then()
                .statusCode(200);
        pop("batch=1");
        write();
        assertThat(written("pushRequests")).isEqualTo(2);
        assertThat(written("pushMessages")).isEqualTo(3);
        assertThat(written("popRequests")).isEqualTo(2);
        assertThat(written("popMessages")).isEqualTo(2);
        assertThat(written("popEmpty")).isEqualTo(1);
        assertThat(written("ackRequests")).isEqualTo(1);
        assertThat(written("ackSuccess")).isEqualTo(1);
        assertThat(written("ackFailed")).isZero();
    }

    @Test
    void write_twice_countsNothingTwice() {
        push("a");
        write();
        write();
        assertThat(written("pushMessages")).isEqualTo(1);
    }

    @Test
    void write_always_tellsOfTheServer() {
        write();
        try (Sql sql = Sql.open()) {
            JsonObject metrics = new JsonObject(sql.text(
                    "select metrics::text from queen.metric_buckets where queue_name = '' and server_id like '%:"
                            + ProcessHandle.current().pid() + "' order by bucket desc limit 1"));
            assertThat(metrics.getString("hostname")).isNotBlank();
            assertThat(metrics.getLong("pid")).isEqualTo(ProcessHandle.current().pid());
            assertThat(metrics.containsKey("samples")).isTrue();
        }
    }
}
