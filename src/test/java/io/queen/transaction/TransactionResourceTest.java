package io.queen.transaction;

import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class TransactionResourceTest {
    private static final String GROUP = "__QUEUE_MODE__";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);
    private final String out = Partitions.name("out");

    @Test
    void transaction_applied_answersEveryField() {
        String pushed = transaction(
                        "",
                        "{\"type\":\"push\",\"items\":[{\"queue\":\"" + out + "\",\"transactionId\":\"a\"}]}",
                        ack("m1", ""),
                        "{\"type\":\"push\",\"queue\":\"" + out + "\",\"data\":{\"n\": 1.0},\"partition\":\"p\"}")
                .statusCode(200)
                .body("success", equalTo(true))
                .body("transactionId", matchesPattern("[0-9a-f-]{36}"))
                .body("results", hasSize(3))
                .body("results.index", equalTo(java.util.List.of(0, 1, 2)))
                .body("results[0].type", equalTo("push"))
                .body("results[0].success", equalTo(true))
                .body("results[0].transactionId", equalTo("a"))
                .body("results[0].queueName", equalTo(out))
                .body("results[1].type", equalTo("ack"))
                .body("results[1].transactionId", equalTo("m1"))
                .body("results[1].error", nullValue())
                .body("results[1].dlq", equalTo(false))
                .body("results[2].partitionId", equalTo(partitions.id(out, "p").toString()))
                .extract()
                .path("results[2].messageId");
        assertThat(sql.row(
                                "select id::text, payload from queen.messages where partition_id = ?",
                                partitions.id(out, "p"))
                        .values())
                .containsExactly(pushed, "{\"n\": 1.0}");
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
    }

    @Test
    void transaction_unknownMessage_undoesAll() {
        refused(transaction("", push("a"), ack("nope", "")), "Message not found");
    }

    @Test
    void transaction_duplicateOfAStoredMessage_undoesAll() {
        transaction("", push("a")).body("success", equalTo(true));
        transaction("", ack("m1", ""), push("b"), push("a"))
                .statusCode(200)
                .body("success", equalTo(false))
                .body("error", equalTo("Duplicate transactionId: a"));
        assertThat(pushed()).isEqualTo(1);
        assertThat(rows()).isZero();
    }

    @Test
    void transaction_duplicateWithin_undoesAll() {
        refused(transaction("", push("a"), push("a")), "Duplicate transactionId: a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":\"pop\"}", "{\"type\":\"\"}"})
    void transaction_unknownType_undoesAll(String operation) {
        refused(transaction("", push("a"), operation), "Unknown operation type");
    }

    @Test
    void transaction_retryStatus_undoesAll() {
        refused(transaction("", push("a"), ack("m1", ",\"status\":\"retry\"")), "status");
    }

    @Test
    void requiredLeases_held_applies() {
        UUID lease = partitions.lease(partition, GROUP, 1);
        transaction(",\"requiredLeases\":[\"" + lease + "\"]", push("a"), ack("m1", ""))
                .body("success", equalTo(true));
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isNull();
    }

    @Test
    void requiredLeases_lost_undoesAll() {
        UUID expired = partitions.lease(partition, GROUP, 1, -5);
        for (String lease : new String[] {expired.toString(), UUID.randomUUID().toString(), "nonsense"}) {
            transaction(",\"requiredLeases\":[\"" + lease + "\"]", push("a"), ack("m1", ""))
                    .statusCode(200)
                    .body("success", equalTo(false))
                    .body("error", equalTo("Invalid or expired lease"));
        }
        assertThat(pushed()).isZero();
        assertThat(partitions.cursor(partition, GROUP)).isZero();
    }

    @Test
    void requiredLeases_emptyOnes_areNotChecked() {
        transaction(",\"requiredLeases\":[\"\"]", ack("m1", "")).body("success", equalTo(true));
    }

    @Test
    void failed_always_isDeadAtOnceAndGivesTheLeaseBack() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        transaction(",\"requiredLeases\":[\"" + lease + "\"]", ack("m1", ",\"status\":\"failed\""), push("a"))
                .body("success", equalTo(true))
                .body("results[0].dlq", equalTo(true));
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1");
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isNull();
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
    }

    @Test
    void completed_partOfTheBatch_keepsTheLease() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        transaction("", ack("m2", "")).body("success", equalTo(true));
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isEqualTo(lease);
    }

    @Test
    void transaction_queueDeletedMeanwhile_createsItAnew() {
        transaction("", push("a")).body("success", equalTo(true));
        sql.run("select queen.delete_queue_v1(?)", out);
        transaction("", push("a")).body("success", equalTo(true));
        assertThat(pushed()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|operations",
                "{\"operations\":[]}|operations",
                "{\"operations\":{}}|operations",
                "{\"operations\":[{}]}|operations[0].type",
                "{\"operations\":[{\"type\":\"push\"}]}|operations[0].queue",
                "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"q\"},{}]}]}|operations[0].items[1].queue",
                "{\"operations\":[{\"type\":\"ack\",\"partitionId\":\"x\"}]}|operations[0].transactionId",
                "{\"operations\":[],\"requiredLeases\":7}|requiredLeases"
            })
    void transaction_bad_isToldByFieldAndIndex(String body, String field) {
        post("/api/v1/transaction", body).statusCode(400).body("field", equalTo(field));
    }

    @Test
    void transaction_noBody_is400() {
        post("/api/v1/transaction", "").statusCode(400).body("code", equalTo("EMPTY_BODY"));
    }

    private void refused(ValidatableResponse answer, String error) {
        answer.statusCode(200)
                .body("success", equalTo(false))
                .body("error", containsString(error))
                .body("results", hasSize(0));
        assertThat(pushed()).isZero();
        assertThat(rows()).isZero();
    }

    private static ValidatableResponse transaction(String more, String... operations) {
        return post("/api/v1/transaction", "{\"operations\":[" + String.join(",", operations) + "]" + more + "}");
    }

    private String push(String transactionId) {
        return "{\"type\":\"push\",\"queue\":\"%s\",\"payload\":1,\"transactionId\":\"%s\"}"
                .formatted(out, transactionId);
    }

    private String ack(String transactionId, String more) {
        return "{\"type\":\"ack\",\"partitionId\":\"%s\",\"transactionId\":\"%s\"%s}"
                .formatted(partition, transactionId, more);
    }

    private long rows() {
        return sql.number("select count(*) from queen.partition_consumers where partition_id = ?", partition);
    }

    private long pushed() {
        return sql.number(
                "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                        + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                out);
    }
}
