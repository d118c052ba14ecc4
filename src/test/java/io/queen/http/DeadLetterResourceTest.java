package io.queen.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.Partitions;
import io.queen.Sql;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DeadLetterResourceTest {
    private final Sql sql = Sql.open();
    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("letters");

    @AfterEach
    void close() {
        sql.close();
    }

    @Test
    void list_always_isNewestFailureFirst() {
        fail("p", 1);
        fail("r", 2);
        list().body("messages.transactionId", contains("t2", "t1"))
                .body("messages.data", contains(2, 1))
                .body("messages[0].queue", equalTo(queue))
                .body("messages[0].partition", equalTo("r"))
                .body(
                        "messages[0].partitionId",
                        equalTo(partitions.id(queue, "r").toString()))
                .body("messages[0].consumerGroup", equalTo("__QUEUE_MODE__"))
                .body("messages[0].errorMessage", equalTo("because"))
                .body("messages[0].retryCount", equalTo(0))
                .body("messages[0].id", notNullValue())
                .body("messages[0].failedAt", matchesPattern(".*\\.\\d{3}Z"))
                .body("total", equalTo(2))
                .body("pagination.limit", equalTo(100));
    }

    @Test
    void list_pageByPage_showsEachOnce() {
        fail("p", 1);
        fail("p", 2);
        fail("p", 3);
        list("limit", 2).body("messages.transactionId", contains("t3", "t2")).body("total", equalTo(3));
        list("limit", 2, "offset", 2)
                .body("messages.transactionId", contains("t1"))
                .body("total", equalTo(3));
        list("offset", 3).body("messages", empty()).body("total", equalTo(3));
    }

    @Test
    void list_filtered_findsThose() {
        fail("p", 1);
        fail("r", 2);
        Pops.ack(Pops.popPartition(queue, "p", "consumerGroup", "g"), "dlq");
        sql.run(
                "update queen.dead_letters set failed_at = '2026-01-01T10:00:00Z' where partition_id = ?",
                partitions.id(queue, "r"));
        list("consumerGroup", "g")
                .body("messages.transactionId", contains("t1"))
                .body("total", equalTo(1));
        list("partition", "r").body("messages.transactionId", contains("t2"));
        list("from", "2026-01-01T10:00:00Z", "to", "2026-01-01T10:00:00Z")
                .body("messages.transactionId", contains("t2"));
        list("from", "2026-01-01T10:00:01Z").body("total", equalTo(2));
        list("to", "2026-01-01T09:59:59Z").body("total", equalTo(0));
        given().get("/api/v1/dlq?from=never").then().statusCode(400).body("field", equalTo("from"));
    }

    @Test
    void list_unknownQueue_isEmpty() {
        list().body("messages", empty()).body("total", equalTo(0));
    }

    @Test
    void delete_matching_leavesTheMessages() {
        fail("p", 1);
        fail("r", 2);
        given().delete("/api/v1/dlq?partition=p&queue=" + queue)
                .then()
                .statusCode(200)
                .body("deleted", equalTo(1));
        list().body("messages.transactionId", contains("t2"));
        given().get("/api/v1/messages?queue=" + queue)
                .then()
                .body("messages.status", contains("dead_letter", "completed"));
    }

    @Test
    void changes_withoutQueue_are400() {
        given().delete("/api/v1/dlq").then().statusCode(400).body("field", equalTo("queue"));
        given().post("/api/v1/dlq/redrive").then().statusCode(400).body("field", equalTo("queue"));
    }

    @Test
    void retry_deadLetter_isDeliveredAgain() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        String id = retry(partition, "t1")
                .statusCode(200)
                .body("success", equalTo(true))
                .extract()
                .path("messageId");
        list().body("total", equalTo(0));
        Response again = Pops.pop(queue);
        again.then()
                .body("messages[0].data", equalTo(1))
                .body("messages[0].id", equalTo(id))
                .body("messages[0].transactionId", equalTo("t1~" + id));
    }

    @Test
    void retry_failedAgain_canBeRedrivenAgain() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        String first = retry(partition, "t1").extract().path("messageId");
        Pops.ack(Pops.pop(queue), "dlq");
        String second =
                retry(partition, "t1~" + first).statusCode(200).extract().path("messageId");
        Pops.pop(queue).then().body("messages.transactionId", contains("t1~" + second));
    }

    @Test
    void retry_waitingPop_wakes() throws Exception {
        fail("p", 1);
        CompletableFuture<Response> waiting =
                CompletableFuture.supplyAsync(() -> Pops.pop(queue, "wait", true, "timeout", 60_000), Pops.THREADS);
        await().atMost(Duration.ofSeconds(30)).until(() -> Pops.parked() > 0);
        retry(partitions.id(queue, "p"), "t1").statusCode(200);
        assertThat(Pops.data(waiting.get(90, TimeUnit.SECONDS))).containsExactly(1);
    }

    @Test
    void retry_notADeadLetter_is409() {
        UUID partition = partitions.push(queue, "p", 1);
        retry(partition, "m1").statusCode(409).body("code", equalTo("CONFLICT"));
        retry(partition, "nope").statusCode(404).body("code", equalTo("MESSAGE_NOT_FOUND"));
        given().post("/api/v1/messages/no-uuid/m1/retry").then().statusCode(400);
    }

    @Test
    void redrive_matching_keepsTheirOrder() {
        fail("p", 1);
        fail("r", 7);
        fail("p", 2);
        fail("p", 3);
        redrive("partition", "p").body("success", equalTo(true)).body("redriven", equalTo(3));
        list().body("messages.transactionId", contains("t7"));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(1, 2, 3);
        redrive("partition", "p").body("redriven", equalTo(0));
    }

    @Test
    void redrive_moreThanAPortion_takesAll() {
        UUID partition = partitions.push(queue, "p", 2500);
        sql.run(
                "insert into queen.dead_letters (partition_id, consumer_group, seq, message_id, transaction_id)"
                        + " select partition_id, '__QUEUE_MODE__', seq, id, transaction_id from queen.messages"
                        + " where partition_id = ?",
                partition);
        redrive().body("redriven", equalTo(2500));
        assertThat(sql.number(
                        "select count(*) from queen.messages m join queen.messages o on o.partition_id = m.partition_id"
                                + " and o.seq = m.seq - 2500 and o.payload = m.payload where m.partition_id = ?",
                        partition))
                .isEqualTo(2500);
        list().body("total", equalTo(0));
    }

    @Test
    void redrive_traceAndProducer_areKept() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        UUID trace = UUID.randomUUID();
        sql.run("update queen.messages set trace_id = ?, producer_sub = 'me' where partition_id = ?", trace, partition);
        redrive().body("redriven", equalTo(1));
        Map<String, Object> copy =
                sql.row("select * from queen.messages where partition_id = ? and seq = 2", partition);
        assertThat(copy).containsEntry("trace_id", trace).containsEntry("producer_sub", "me");
        Pops.pop(queue).then().body("messages[0].transactionId", startsWith("t1~"));
    }

    /** Pushes a message and makes it a dead letter. */
    private void fail(String partition, int number) {
        Pops.push(queue, partition, number);
        Pops.ack(Pops.popPartition(queue, partition), "dlq");
    }

    private ValidatableResponse list(Object... query) {
        return given().queryParam("queue", queue)
                .queryParams(Pops.query(query))
                .get("/api/v1/dlq")
                .then()
                .statusCode(200);
    }

    private ValidatableResponse redrive(Object... query) {
        return given().queryParam("queue", queue)
                .queryParams(Pops.query(query))
                .post("/api/v1/dlq/redrive")
                .then()
                .statusCode(200);
    }

    private static ValidatableResponse retry(UUID partition, String transaction) {
        return given().post("/api/v1/messages/{p}/{t}/retry", partition, transaction)
                .then();
    }
}
