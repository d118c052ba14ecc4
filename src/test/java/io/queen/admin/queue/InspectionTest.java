package io.queen.admin.queue;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InspectionTest {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

    private final String namespace = Partitions.name("space");
    private final String queue = namespace + ".work";

    @Test
    void queues_ofANamespace_areListedNewestFirst() {
        configure("first", "second", "third");
        Response first = get("/api/v1/resources/queues?limit=2&namespace=" + namespace);
        first.then()
                .statusCode(200)
                .body("queues.name", contains(namespace + "-third", namespace + "-second"))
                .body("total", equalTo(3))
                .body("pagination.limit", equalTo(2))
                .body("queues[0].partitions", equalTo(1))
                .body("queues[0].partitionCount", equalTo(1))
                .body("queues[0].priority", equalTo(7))
                .body("queues[0].leaseTime", equalTo(300))
                .body("queues[0].encryptionEnabled", equalTo(false))
                .body("queues[0].createdAt", matchesPattern(TIME));
        get("/api/v1/resources/queues?limit=2&offset=2&namespace=" + namespace)
                .then()
                .body("queues.name", contains(namespace + "-first"))
                .body("total", equalTo(3));
        get("/api/v1/resources/queues?offset=3&namespace=" + namespace)
                .then()
                .body("queues", empty())
                .body("total", equalTo(3));
    }

    @Test
    void queues_ofATask_areListedAlone() {
        configure("first", "second");
        get("/api/v1/resources/queues?task=second&namespace=" + namespace)
                .then()
                .body("queues.name", contains(namespace + "-second"))
                .body("total", equalTo(1));
    }

    @Test
    void queues_partlyConsumed_countExactly() {
        consumed();
        get("/api/v1/resources/queues?namespace=" + namespace)
                .then()
                .body("queues[0].messages.total", equalTo(10))
                .body("queues[0].messages.pending", equalTo(5))
                .body("queues[0].messages.processing", equalTo(3))
                .body("queues[0].messages.completed", equalTo(2))
                .body("queues[0].messages.estimated", equalTo(false));
        get("/api/v1/status/queues?namespace=" + namespace)
                .then()
                .body("queues[0].messages.pending", equalTo(8))
                .body("queues[0].messages.processing", equalTo(3))
                .body("pagination.limit", equalTo(100))
                .body("total", equalTo(1));
    }

    @Test
    void queue_withPartitions_showsThemByName() {
        consumed();
        Pops.push(queue, "a", 1);
        get("/api/v1/resources/queues/" + queue)
                .then()
                .statusCode(200)
                .body("name", equalTo(queue))
                .body("namespace", equalTo(namespace))
                .body("task", equalTo("work"))
                .body("partitions.name", contains("a", "p"))
                .body("partitionCount", equalTo(2))
                .body("partitions[1].stats.total", equalTo(10))
                .body("partitions[1].stats.failed", equalTo(0))
                .body("partitions[1].oldestMessage", matchesPattern(TIME))
                .body("partitions[0].newestMessage", matchesPattern(TIME))
                .body("totals.total", equalTo(11))
                .body("totals.pending", equalTo(6));
        get("/api/v1/resources/queues/" + queue + "?limit=1&offset=1")
                .then()
                .body("partitions.name", contains("p"))
                .body("total", equalTo(2))
                .body("totals.total", equalTo(11));
    }

    @Test
    void queue_justConfigured_hasDefaultAndZeros() {
        configure("first");
        get("/api/v1/resources/queues/" + namespace + "-first")
                .then()
                .body("partitions.name", contains("Default"))
                .body("partitions[0].oldestMessage", equalTo(null))
                .body("totals.total", equalTo(0))
                .body("totals.pending", equalTo(0));
    }

    @Test
    void queue_unknown_is404() {
        for (String path : List.of("resources/queues/", "status/queues/")) {
            get("/api/v1/" + path + namespace).then().statusCode(404).body("code", equalTo("QUEUE_NOT_FOUND"));
        }
        get("/api/v1/resources/partitions?queue=" + namespace).then().statusCode(404);
        get("/api/v1/status/queues/" + namespace + "/messages").then().statusCode(404);
    }

    @Test
    void queue_nameTooLong_is400() {
        get("/api/v1/resources/queues/" + "n".repeat(256))
                .then()
                .statusCode(400)
                .body("field", equalTo("queue"));
        get("/api/v1/resources/queues?namespace=" + "n".repeat(256))
                .then()
                .statusCode(400)
                .body("field", equalTo("namespace"));
    }

    @Test
    void queueStatus_withPartitions_tellsConfigAndTotalsTwice() {
        consumed();
        get("/api/v1/status/queues/" + queue + "?includePartitions=true")
                .then()
                .statusCode(200)
                .body("queue.name", equalTo(queue))
                .body("queue.config.retryLimit", equalTo(3))
                .body("queue.config.retryBackoff", equalTo("fixed"))
                .body("queue.config.retryDelayMax", equalTo(3_600_000))
                .body("queue.config.retryJitter", equalTo(0))
                .body("queue.config.maxQueueSize", equalTo(0))
                .body("queue.config", hasKey("deadLetterQueue"))
                .body("partitions[0].messages.processing", equalTo(3))
                .body("partitions[0].stats.processing", equalTo(3))
                .body("partitions[0].cursor.totalConsumed", equalTo(2))
                .body("partitions[0].cursor.batchesConsumed", equalTo(1))
                .body("partitions[0].lastActivity", matchesPattern(TIME))
                .body("totals.messages.total", equalTo(10))
                .body("totals.total", equalTo(10))
                .body("total", equalTo(1));
    }

    @Test
    void queueMessages_always_areNewestFirst() {
        Pops.push(queue, "p", 1, 2, 3);
        get("/api/v1/status/queues/" + queue + "/messages")
                .then()
                .statusCode(200)
                .body("transactionId", contains("t3", "t2", "t1"))
                .body("queuePath", everyItem(equalTo(queue + "/p")))
                .body("status", everyItem(equalTo("pending")));
        get("/api/v1/status/queues/" + queue + "/messages?limit=1&offset=1")
                .then()
                .body("transactionId", contains("t2"));
    }

    @Test
    void partitions_ofAQueue_arePagedByName() {
        for (String partition : List.of("c", "a", "b")) {
            Pops.push(queue, partition, 1);
        }
        get("/api/v1/resources/partitions?limit=2&offset=1&queue=" + queue)
                .then()
                .statusCode(200)
                .body("partitions.name", contains("b", "c"))
                .body("partitions.queue", everyItem(equalTo(queue)))
                .body("total", equalTo(3));
        get("/api/v1/resources/partitions").then().statusCode(200).body("total", greaterThanOrEqualTo(3));
    }

    @Test
    void namespacesAndTasks_always_sumTheirQueues() {
        Pops.configure(namespace + "-1", namespace, namespace, Map.of());
        Pops.configure(namespace + "-2", namespace, namespace, Map.of());
        Pops.push(namespace + "-1", "p", 1, 2);
        Pops.push(namespace + "-2", "p", 1);
        for (String kind : List.of("namespace", "task")) {
            Response answer = get("/api/v1/resources/" + kind + "s?limit=10000");
            answer.then().statusCode(200).body(kind + "s.name", hasItem(namespace));
            Map<String, Object> found =
                    answer.jsonPath().getMap(kind + "s.find { it." + kind + " == '" + namespace + "' }");
            assertThat(found)
                    .containsEntry("queues", 2)
                    .containsEntry("queueCount", 2)
                    .containsEntry("partitions", 4);
            assertThat((Map<?, ?>) found.get("messages"))
                    .isEqualTo(Map.of("total", 3, "pending", 3, "estimated", false));
        }
    }

    @Test
    void overview_always_countsEverything() {
        consumed();
        get("/api/v1/resources/overview")
                .then()
                .statusCode(200)
                .body("queues", greaterThanOrEqualTo(1))
                .body("partitions", greaterThanOrEqualTo(1))
                .body("namespaces", greaterThanOrEqualTo(1))
                .body("tasks", greaterThanOrEqualTo(1))
                .body("messages.total", greaterThanOrEqualTo(10))
                .body("messages.pending", greaterThanOrEqualTo(5))
                .body("messages", hasKey("deadLetter"))
                .body("lag.offset.max", greaterThanOrEqualTo(8))
                .body("lag.time", hasKey("median"))
                .body("throughput", hasKey("ingestedPerSecond"))
                .body("throughput", hasKey("processedPerSecond"))
                .body("timestamp", matchesPattern(TIME))
                .body("statsAge", equalTo(0));
    }

    /** Ten messages: two done, three held, five to come. */
    private void consumed() {
        Pops.push(queue, "p", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        Pops.ack(Pops.pop(queue, "batch", 2), "completed");
        assertThat(Pops.data(Pops.pop(queue, "batch", 3))).containsExactly(3, 4, 5);
    }

    private void configure(String... tasks) {
        for (String task : tasks) {
            Pops.configure(namespace + "-" + task, namespace, task, Map.of("priority", 7));
        }
    }

    private static Response get(String path) {
        return given().get(path);
    }
}
