package io.queen.admin.deadletter;

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
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DeadLetterResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("letters");

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
                .body("messages[0].transactionId", equalTo("t1"));
    }

    @Test
    void retry_failedForOneGroup_reachesThatGroupAlone() throws Exception {
        Pops.push(queue, "p", 1, 2);
        Pops.ack(Pops.pop(queue, "batch", 2, "consumerGroup", "good"), "completed");
        Pops.ack(Pops.pop(queue, "consumerGroup", "bad"), "dlq");
        CompletableFuture<Response> other = Pops.waiting(queue, "consumerGroup", "good");
        await().atMost(Duration.ofSeconds(30)).until(() -> Pops.parked() > 0);
        retry(partitions.id(queue, "p"), "t1").statusCode(200);
        Response again = Pops.pop(queue, "batch", 10, "consumerGroup", "bad");
        assertThat(Pops.data(again)).containsExactly(1);
        Pops.ack(again, "completed");
        assertThat(Pops.data(Pops.pop(queue, "consumerGroup", "bad"))).containsExactly(2);
        assertThat(other.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
    }

    @Test
    void retry_allGroups_pushesACopy() {
        Pops.push(queue, "p", 1);
        Pops.ack(Pops.pop(queue, "consumerGroup", "good"), "completed");
        Pops.ack(Pops.pop(queue, "consumerGroup", "bad"), "dlq");
        String id = given().post("/api/v1/messages/{p}/t1/retry?allGroups=true", partitions.id(queue, "p"))
                .then()
                .statusCode(200)
                .extract()
                .path("messageId");
        for (String group : List.of("good", "bad")) {
            Pops.pop(queue, "consumerGroup", group)
                    .then()
                    .body("messages.id", contains(id))
                    .body("messages.transactionId", contains("t1~" + id));
        }
    }

    @Test
    void retry_messageRemoved_is404() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        sql.run("delete from queen.messages where partition_id = ?", partition);
        retry(partition, "t1").statusCode(404).body("code", equalTo("MESSAGE_NOT_FOUND"));
        list().body("total", equalTo(0));
    }

    @Test
    void redrive_messageRemoved_saysSo() {
        fail("p", 1);
        fail("p", 2);
        sql.run("delete from queen.messages where partition_id = ? and seq = 1", partitions.id(queue, "p"));
        redrive().body("redriven", equalTo(1)).body("gone", equalTo(1));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(2);
    }

    @Test
    void retry_failedAgain_canBeRedrivenAgain() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        String first = retry(partition, "t1").extract().path("messageId");
        Pops.ack(Pops.pop(queue), "dlq");
        retry(partition, "t1").statusCode(200).body("messageId", equalTo(first));
        retry(partition, "t1").statusCode(409);
        Pops.pop(queue).then().body("messages.transactionId", contains("t1"));
    }

    @Test
    void retry_allGroupsFailedAgain_canBeRedrivenAgain() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        String first = retry(partition, "t1", "allGroups", true).extract().path("messageId");
        Pops.ack(Pops.pop(queue), "dlq");
        String second = retry(partition, "t1~" + first, "allGroups", true)
                .statusCode(200)
                .extract()
                .path("messageId");
        Pops.pop(queue).then().body("messages.transactionId", contains("t1~" + second));
    }

    @Test
    void retry_waitingPop_wakes() throws Exception {
        fail("p", 1);
        CompletableFuture<Response> waiting =
                CompletableFuture.supplyAsync(() -> Pops.pop(queue, "wait", true, "timeout", 60_000), Parallel.THREADS);
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
        UUID partition = failMany();
        redrive().body("redriven", equalTo(2500));
        assertThat(partitions.consumer(partition, "__QUEUE_MODE__")).containsEntry("redriven", 2500);
        assertThat(Pops.data(Pops.pop(queue, "batch", 3))).containsExactly(1, 2, 3);
        list().body("total", equalTo(0));
    }

    @Test
    void redrive_allGroupsMoreThanAPortion_takesAll() {
        UUID partition = failMany();
        redrive("allGroups", true).body("redriven", equalTo(2500));
        assertThat(sql.number(
                        "select count(*) from queen.messages m join queen.messages o on o.partition_id = m.partition_id"
                                + " and o.seq = m.seq - 2500 and o.payload = m.payload where m.partition_id = ?",
                        partition))
                .isEqualTo(2500);
        list().body("total", equalTo(0));
    }

    @Test
    void redrive_allGroups_keepsTraceAndProducer() {
        fail("p", 1);
        UUID partition = partitions.id(queue, "p");
        UUID trace = UUID.randomUUID();
        sql.run("update queen.messages set trace_id = ?, producer_sub = 'me' where partition_id = ?", trace, partition);
        redrive("allGroups", true).body("redriven", equalTo(1));
        Map<String, Object> copy =
                sql.row("select * from queen.messages where partition_id = ? and seq = 2", partition);
        assertThat(copy).containsEntry("trace_id", trace).containsEntry("producer_sub", "me");
        Pops.pop(queue).then().body("messages[0].transactionId", startsWith("t1~"));
    }

    @Test
    void errors_several_areMostFrequentFirst() {
        failWith("timed out", "p", 1, "g");
        failWith("no such customer", "p", 2, "g");
        failWith("timed out", "r", 3, "g");
        failWith("timed out", "s", 4, "h");
        sql.run(
                "update queen.dead_letters set failed_at = '2026-01-01T10:00:00Z' where partition_id = ?",
                partitions.id(queue, "r"));
        errors().body("errors.error", contains("timed out", "no such customer"))
                .body("errors.count", contains(3, 1))
                .body("errors.queues", contains(1, 1))
                .body("errors.groups", contains(2, 1))
                .body("errors[0].firstFailedAt", equalTo("2026-01-01T10:00:00.000Z"))
                .body("errors[0].lastFailedAt", matchesPattern(".*\\.\\d{3}Z"))
                .body("total", equalTo(2))
                .body("messages", equalTo(4))
                .body("estimated", equalTo(false))
                .body("pagination.limit", equalTo(100));
        errors("limit", 1, "offset", 1)
                .body("errors.error", contains("no such customer"))
                .body("total", equalTo(2))
                .body("messages", equalTo(4));
        errors("consumerGroup", "h").body("errors.count", contains(1)).body("messages", equalTo(1));
        errors("partition", "none").body("errors", empty()).body("messages", equalTo(0));
        errors("from", "2026-01-01T10:00:01Z").body("errors.count", contains(2, 1));
        given().get("/api/v1/dlq/errors?from=never").then().statusCode(400).body("field", equalTo("from"));
    }

    @Test
    void errors_moreThanAreGrouped_saysEstimated() {
        failMany();
        String newest = "select queen.dead_letter_errors_v1(?, null, null, null, null, 10, 0, null, %d, null)";
        assertThat(sql.text(newest.formatted(2499) + "::text", queue))
                .contains("\"messages\" : 2499", "\"estimated\" : true");
        assertThat(sql.text(newest.formatted(2500) + "::text", queue))
                .contains("\"messages\" : 2500", "\"estimated\" : false");
    }

    @Test
    void error_asFilter_isTheWholeText() {
        String text = "100% wrong: käse & \"more\"";
        failWith(text, "p", 1, "g");
        failWith("100% wrong", "p", 2, "g");
        list("error", text).body("messages.transactionId", contains("t1")).body("total", equalTo(1));
        list("error", "100%").body("total", equalTo(0));
        errors("error", text).body("errors.error", contains(text));
        redrive("error", text).body("redriven", equalTo(1));
        list().body("messages.transactionId", contains("t2"));
        given().queryParam("queue", queue)
                .queryParam("error", "100% wrong")
                .delete("/api/v1/dlq")
                .then()
                .statusCode(200)
                .body("deleted", equalTo(1));
        list().body("total", equalTo(0));
    }

    @Test
    void redrive_errorInTheBody_takesThose() {
        failWith("timed out", "p", 1, "g");
        failWith("other", "p", 2, "g");
        given().contentType("application/json")
                .body("{\"queue\":\"" + queue + "\",\"error\":\"timed out\",\"allGroups\":true}")
                .post("/api/v1/dlq/redrive")
                .then()
                .statusCode(200)
                .body("redriven", equalTo(1));
        list().body("messages.transactionId", contains("t2"));
    }

    @Test
    void dryRun_always_changesNothingAndIsNoAct() {
        fail("p", 1);
        fail("r", 2);
        String expected = "{\"dryRun\":true,\"matching\":%d}";
        assertThat(redrive("dryRun", true).extract().asString()).isEqualTo(expected.formatted(2));
        assertThat(redrive("dryRun", true, "partition", "p").extract().asString())
                .isEqualTo(expected.formatted(1));
        assertThat(given().delete("/api/v1/dlq?dryRun=true&error=because&queue=" + queue)
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString())
                .isEqualTo(expected.formatted(2));
        given().contentType("application/json")
                .body("{\"queue\":\"" + queue + "\",\"dryRun\":true,\"error\":\"none\"}")
                .post("/api/v1/dlq/redrive")
                .then()
                .statusCode(200)
                .body("matching", equalTo(0));
        given().delete("/api/v1/dlq?dryRun=perhaps&queue=" + queue)
                .then()
                .statusCode(400)
                .body("field", equalTo("dryRun"));
        list().body("total", equalTo(2));
        redrive("partition", "p").body("redriven", equalTo(1));
        await().atMost(Duration.ofSeconds(30)).until(() -> acts("redriveDeadLetters") == 1);
        assertThat(sql.number("select count(*) from queen.audit where queue_name = ? and status = 200", queue))
                .isEqualTo(1);
    }

    private long acts(String act) {
        return sql.number("select count(*) from queen.audit where queue_name = ? and act = ?", queue, act);
    }

    /** Pushes a message and makes it a dead letter of the group, with that error. */
    private void failWith(String error, String partition, int number, String group) {
        Pops.push(queue, partition, number);
        Pops.ack(Pops.popPartition(queue, partition, "consumerGroup", group), "dlq");
        sql.run(
                "update queen.dead_letters set error_message = ? where partition_id = ? and transaction_id = ?",
                error,
                partitions.id(queue, partition),
                "t" + number);
    }

    private ValidatableResponse errors(Object... query) {
        return given().queryParam("queue", queue)
                .queryParams(Pops.query(query))
                .get("/api/v1/dlq/errors")
                .then()
                .statusCode(200);
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

    /** A partition whose 2500 messages the default group has given up. */
    private UUID failMany() {
        UUID partition = partitions.push(queue, "p", 2500);
        sql.run(
                "insert into queen.dead_letters (partition_id, consumer_group, seq, message_id, transaction_id)"
                        + " select partition_id, '__QUEUE_MODE__', seq, id, transaction_id from queen.messages"
                        + " where partition_id = ?",
                partition);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor)"
                        + " values (?, '__QUEUE_MODE__', 2500)",
                partition);
        return partition;
    }

    private static ValidatableResponse retry(UUID partition, String transaction, Object... query) {
        return given().queryParams(Pops.query(query))
                .post("/api/v1/messages/{p}/{t}/retry", partition, transaction)
                .then();
    }
}
