package io.queen.admin.message;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@QuarkusTest
class MessageResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("messages");

    @Test
    void list_ofAQueue_isNewestFirstWithoutPayloads() {
        Pops.push(queue, "p", 1);
        Pops.push(queue, "r", 2);
        Pops.push(queue, "p", 3);
        list().body("messages.transactionId", contains("t3", "t2", "t1"))
                .body("messages.queuePath", contains(queue + "/p", queue + "/r", queue + "/p"))
                .body("messages[0].busStatus.totalGroups", equalTo(0))
                .body("messages[0]", not(hasKey("payload")))
                .body("messages[0].queuePriority", equalTo(0))
                .body("mode.type", equalTo("none"))
                .body("total", equalTo(3))
                .body("totalEstimated", equalTo(false));
        list("partition", "p")
                .body("messages.transactionId", contains("t3", "t1"))
                .body("total", equalTo(2));
    }

    @Test
    void list_pageByPage_showsEachOnce() {
        for (int i = 0; i < 7; i++) {
            Pops.push(queue, "p" + i % 3, 2 * i, 2 * i + 1);
        }
        List<String> seen = new ArrayList<>();
        for (int offset = 0; offset < 15; offset += 3) {
            seen.addAll(list("limit", 3, "offset", offset)
                    .body("total", equalTo(14))
                    .extract()
                    .jsonPath()
                    .getList("messages.transactionId"));
        }
        assertThat(seen)
                .containsExactly(
                        "t13", "t12", "t11", "t10", "t9", "t8", "t7", "t6", "t5", "t4", "t3", "t2", "t1", "t0");
    }

    @Test
    void list_byStatus_findsEach() {
        Pops.push(queue, "p", 1, 2, 3, 4, 5, 6);
        Pops.ack(Pops.pop(queue), "dlq");
        Pops.ack(Pops.pop(queue), "completed");
        assertThat(Pops.data(Pops.pop(queue, "batch", 2))).containsExactly(3, 4);
        list("status", "dead_letter")
                .body("messages.transactionId", contains("t1"))
                .body("total", equalTo(1));
        list("status", "completed")
                .body("messages.transactionId", contains("t2"))
                .body("total", equalTo(1));
        list("status", "processing")
                .body("messages.transactionId", contains("t4", "t3"))
                .body("messages.leaseExpiresAt", everyItem(notNullValue()))
                .body("total", equalTo(2));
        list("status", "pending")
                .body("messages.transactionId", contains("t6", "t5"))
                .body("total", equalTo(2));
        list().body(
                        "messages.status",
                        contains("pending", "pending", "processing", "processing", "completed", "dead_letter"))
                .body("mode.type", equalTo("queue"))
                .body("mode.hasQueueMode", equalTo(true));
    }

    @Test
    void list_namedGroupsOnly_isCompletedWhenAllHavePassed() {
        Pops.push(queue, "p", 1, 2, 3);
        assertThat(Pops.data(Pops.pop(queue, "batch", 3, "autoAck", true, "consumerGroup", "fast")))
                .hasSize(3);
        assertThat(Pops.data(Pops.pop(queue, "batch", 1, "autoAck", true, "consumerGroup", "slow")))
                .hasSize(1);
        list().body("messages.status", contains("pending", "pending", "completed"))
                .body("messages.busStatus.consumedBy", contains(1, 1, 2))
                .body("messages.busStatus.totalGroups", everyItem(equalTo(2)))
                .body("messages.queueStatus", everyItem(equalTo("pending")))
                .body("mode.busGroupsCount", equalTo(2))
                .body("mode.type", equalTo("bus"));
        list("status", "completed").body("messages.transactionId", contains("t1"));
        list("status", "completed", "consumerGroup", "fast")
                .body("messages.transactionId", contains("t3", "t2", "t1"))
                .body("messages.status", everyItem(equalTo("completed")));
    }

    @Test
    void list_byTime_endsWithTheMinuteOfTo() {
        UUID partition = partitions.push(queue, "p", 4);
        for (int seq = 1; seq <= 4; seq++) {
            sql.run(
                    "update queen.messages set created_at = '2026-01-01T10:00:00Z'::timestamptz + ? * interval '30 s'"
                            + " where partition_id = ? and seq = ?",
                    seq,
                    partition,
                    seq);
        }
        sql.run(
                "update queen.partitions set last_push_at = '2026-01-01T10:02:00Z', created_at = '2025-12-31'"
                        + " where id = ?",
                partition);
        list("from", "2026-01-01T10:00:30Z", "to", "2026-01-01T10:01:00Z")
                .body("messages.transactionId", contains("m3", "m2", "m1"))
                .body("total", equalTo(3));
        list("from", "2026-01-01T10:01:00Z", "to", "2026-01-01T10:01:59Z")
                .body("messages.transactionId", contains("m3", "m2"))
                .body("total", equalTo(2));
        list("from", "2026-01-01").body("total", equalTo(4));
        list().body("messages", empty()).body("total", equalTo(0));
    }

    @Test
    void list_byNamespaceAndTask_takesBothSpellings() {
        Pops.configure(queue, queue + "-ns", "job", Map.of());
        Pops.push(queue, "p", 1);
        for (String name : List.of("ns", "namespace")) {
            given().queryParams(Pops.query(name, queue + "-ns", "task", "job"))
                    .get("/api/v1/messages")
                    .then()
                    .body("messages.queue", contains(queue));
        }
        list("task", "another").body("messages", empty());
    }

    @Test
    void list_newestDeleted_staysInOrder() {
        Pops.push(queue, "a", 1);
        Pops.push(queue, "b", 2);
        Pops.push(queue, "a", 3);
        delete(partitions.id(queue, "a"), "t3").body("success", equalTo(true));
        list("limit", 1).body("messages.transactionId", contains("t2")).body("total", equalTo(2));
    }

    @Test
    void list_badFilters_is400() {
        given().get("/api/v1/messages?status=lost").then().statusCode(400).body("field", equalTo("status"));
        given().get("/api/v1/messages?from=soon").then().statusCode(400).body("field", equalTo("from"));
        given().get("/api/v1/messages?from=2026-01-02&to=2026-01-01").then().statusCode(400);
        given().get("/api/v1/messages?queue=" + "n".repeat(256))
                .then()
                .statusCode(400)
                .body("field", equalTo("queue"));
    }

    @Test
    void detail_deadLetter_tellsAllOfIt() {
        Client.push(Client.item(queue, "p", "a/b", "{ \"n\" : 1.50 }")).statusCode(201);
        Pops.ack(Pops.pop(queue), "dlq");
        UUID partition = partitions.id(queue, "p");
        String body = message(partition, "a/b")
                .statusCode(200)
                .body("transactionId", equalTo("a/b"))
                .body("queuePath", equalTo(queue + "/p"))
                .body("status", equalTo("dead_letter"))
                .body("errorMessage", equalTo("because"))
                .body("retryCount", equalTo(0))
                .body("isEncrypted", equalTo(false))
                .body("queueConfig.retryLimit", equalTo(3))
                .body("queueConfig.retryBackoff", equalTo("fixed"))
                .body("queueConfig.retryDelayMax", equalTo(3_600_000))
                .body("queueConfig.retryJitter", equalTo(0))
                .body("mode.hasQueueMode", equalTo(true))
                .body("mode.consumedByGroups", equalTo(0))
                .body("consumerGroups.name", contains("__QUEUE_MODE__"))
                .body("consumerGroups[0].consumed", equalTo(true))
                .extract()
                .asString();
        assertThat(body).contains("\"payload\": { \"n\" : 1.50 }");
    }

    @Test
    void detail_unknown_is404() {
        UUID partition = partitions.push(queue, "p", 1);
        message(partition, "nope").statusCode(404).body("code", equalTo("MESSAGE_NOT_FOUND"));
        message(UUID.randomUUID(), "m1").statusCode(404);
        given().get("/api/v1/messages/no-uuid/m1").then().statusCode(400).body("field", equalTo("partitionId"));
    }

    @Test
    void detail_ofADeletedQueue_is404() {
        UUID partition = partitions.push(queue, "p", 1);
        given().delete("/api/v1/resources/queues/" + queue).then().statusCode(200);
        message(partition, "m1").statusCode(404);
    }

    @Test
    void delete_message_takesItOutOfDeliveryAndCounters() {
        UUID partition = partitions.push(queue, "p", 3);
        delete(partition, "m2")
                .statusCode(200)
                .body("success", equalTo(true))
                .body("partitionId", equalTo(partition.toString()))
                .body("transactionId", equalTo("m2"))
                .body("message", notNullValue());
        delete(partition, "m2").statusCode(200).body("success", equalTo(false)).body("$", not(hasKey("error")));
        given().get("/api/v1/resources/queues/" + queue)
                .then()
                .body("totals.total", equalTo(2))
                .body("totals.pending", equalTo(2));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(1, 3);
    }

    @Test
    void delete_deadLetter_removesItsDeadLettersToo() {
        UUID partition = partitions.push(queue, "p", 1);
        Pops.ack(Pops.pop(queue), "dlq");
        delete(partition, "m1").body("success", equalTo(true));
        given().get("/api/v1/dlq?queue=" + queue).then().body("total", equalTo(0));
    }

    @Test
    void bury_nextMessage_isPassed() {
        UUID partition = partitions.push(queue, "p", 2);
        post(partition, "m1", "dlq").statusCode(200).body("success", equalTo(true));
        assertThat(partitions.deadLetters(partition, "__QUEUE_MODE__")).containsExactly("m1");
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(2);
    }

    @Test
    void bury_laterMessage_isStillDelivered() {
        UUID partition = partitions.push(queue, "p", 2);
        post(partition, "m2", "dlq?consumerGroup=g").statusCode(200);
        assertThat(partitions.deadLetters(partition, "g")).containsExactly("m2");
        assertThat(Pops.data(Pops.pop(queue, "batch", 10, "consumerGroup", "g")))
                .containsExactly(1, 2);
    }

    @Test
    void bury_groupsOfOthers_makesNoCursor() {
        UUID partition = partitions.push(queue, "p", 2);
        assertThat(Pops.data(Pops.pop(queue, "autoAck", true, "consumerGroup", "g")))
                .containsExactly(1);
        post(partition, "m1", "dlq").statusCode(200);
        list().body("mode.type", equalTo("bus")).body("messages.status", containsInAnyOrder("dead_letter", "pending"));
    }

    @Test
    void bury_unknown_is404() {
        post(partitions.push(queue, "p", 1), "nope", "dlq").statusCode(404);
    }

    private ValidatableResponse list(Object... query) {
        return given().queryParam("queue", queue)
                .queryParams(Pops.query(query))
                .get("/api/v1/messages")
                .then()
                .statusCode(200);
    }

    private static ValidatableResponse message(UUID partition, String transaction) {
        return given().get("/api/v1/messages/{p}/{t}", partition, transaction).then();
    }

    private static ValidatableResponse delete(UUID partition, String transaction) {
        return given().delete("/api/v1/messages/{p}/{t}", partition, transaction)
                .then();
    }

    private static ValidatableResponse post(UUID partition, String transaction, String action) {
        return given().post("/api/v1/messages/" + partition + "/" + transaction + "/" + action)
                .then();
    }
}
