package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class ExecuteTransactionTest {
    private static final String GROUP = "__QUEUE_MODE__";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);
    private final String out = Partitions.name("out");

    @Test
    void transaction_pushAndAck_appliesBoth() {
        UUID lease = partitions.lease(partition, GROUP, 1);
        JsonObject answer = execute(push("a"), ack("m1", "completed"));
        assertThat(answer.getBoolean("success")).isTrue();
        assertThat(answer.getJsonArray("results")).hasSize(2);
        assertThat(answer.getJsonArray("results").getJsonObject(1).getString("type"))
                .isEqualTo("ack");
        assertThat(pushed()).isEqualTo(1);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
        assertThat(lease).isNotNull();
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isNull();
    }

    @Test
    void transaction_items_areExpanded() {
        JsonObject answer = execute("{\"type\":\"push\",\"items\":[{\"queue\":\"" + out + "\",\"partition\":\"1\"},"
                + "{\"queue\":\"" + out + "\",\"partition\":\"2\",\"payload\":7}]}");
        assertThat(answer.getJsonArray("results").getJsonObject(1).getInteger("index"))
                .isEqualTo(1);
        assertThat(sql.text("select payload from queen.messages where partition_id = ?", partitions.id(out, "1")))
                .isEqualTo("{}");
        assertThat(sql.text("select payload from queen.messages where partition_id = ?", partitions.id(out, "2")))
                .isEqualTo("7");
    }

    @Test
    void transaction_unknownMessage_undoesThePush() {
        JsonObject answer = execute(push("a"), ack("nope", "completed"));
        refused(answer, "Message not found");
        assertThat(pushed()).isZero();
    }

    @Test
    void transaction_duplicate_undoesTheAck() {
        execute(push("a"));
        refused(execute(ack("m1", "completed"), push("a")), "Duplicate transactionId: a");
        refused(execute(push("b"), push("b")), "Duplicate transactionId: b");
        assertThat(pushed()).isEqualTo(1);
        assertThat(sql.number("select count(*) from queen.partition_consumers where partition_id = ?", partition))
                .isZero();
    }

    @Test
    void transaction_wrongLease_undoesAll() {
        refused(
                execute(push("a"), ack("m1", "completed\",\"leaseId\":\"" + UUID.randomUUID())),
                "Invalid or expired lease");
        assertThat(pushed()).isZero();
    }

    @Test
    void transaction_unknownTypeOrStatus_isRefused() {
        assertThat(execute("{\"type\":\"pop\"}").getString("error")).contains("pop");
        assertThat(execute("{}").getString("error")).isNotNull();
        assertThat(execute(ack("m1", "retry")).getString("error")).contains("retry");
    }

    @Test
    void failed_always_isDeadAtOnceAndGivesTheLeaseBack() {
        partitions.lease(partition, GROUP, 3);
        JsonObject answer = execute(ack("m1", "failed"));
        assertThat(answer.getJsonArray("results").getJsonObject(0).getBoolean("dlq"))
                .isTrue();
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1");
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isNull();
    }

    @Test
    void transaction_insideTheCallersOwn_leavesItUsableAfterARefusal() {
        sql.begin();
        refused(execute(ack("nope", "completed")), "Message not found");
        assertThat(execute(push("a")).getBoolean("success")).isTrue();
        sql.commit();
        assertThat(pushed()).isEqualTo(1);
    }

    private static void refused(JsonObject answer, String error) {
        assertThat(answer.getBoolean("success")).isFalse();
        assertThat(answer.getString("error")).isEqualTo(error);
        assertThat(answer.getJsonArray("results")).isEmpty();
    }

    private String push(String transactionId) {
        return "{\"type\":\"push\",\"queue\":\"%s\",\"payload\":1,\"transactionId\":\"%s\"}"
                .formatted(out, transactionId);
    }

    private String ack(String transactionId, String status) {
        return "{\"type\":\"ack\",\"partitionId\":\"%s\",\"transactionId\":\"%s\",\"status\":\"%s\"}"
                .formatted(partition, transactionId, status);
    }

    private JsonObject execute(String... operations) {
        return new JsonObject(sql.text(
                "select queen.execute_transaction_v2(?::jsonb)::text", "[" + String.join(",", operations) + "]"));
    }

    private long pushed() {
        return sql.number(
                "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                        + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                out);
    }
}
