package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The one-call interface for consumers that speak only SQL. */
@AlsoOnInstalledPostgres
class PopMessagesTest {
    @AutoClose
    private final PopSql sql = new PopSql();

    private JsonObject pop(String arguments, Object... values) throws SQLException {
        return new JsonObject(sql.one("select queen.pop_messages_v2(" + arguments + ")::text", values)
                .toString());
    }

    private JsonArray batch(String requests) throws SQLException {
        return new JsonArray(sql.one("select queen.pop_messages_batch_v2(?::jsonb)::text", requests)
                .toString());
    }

    private static List<Object> data(JsonObject result) {
        return result.getJsonArray("messages").stream()
                .map(message -> ((JsonObject) message).getValue("data"))
                .toList();
    }

    @Test
    void pop_partitionNamed_givesMessagesWithAllFields() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 3);
        JsonObject result = pop("?, 'p', 'g', 2", queue);
        assertThat(data(result)).containsExactly(1, 2);
        JsonObject message = result.getJsonArray("messages").getJsonObject(0);
        assertThat(message.fieldNames())
                .contains(
                        "id",
                        "transactionId",
                        "traceId",
                        "data",
                        "producerSub",
                        "retryCount",
                        "createdAt",
                        "queue",
                        "partition",
                        "partitionId",
                        "leaseId",
                        "consumerGroup");
        assertThat(message.getString("partitionId")).isEqualTo(partition.toString());
        assertThat(message.getString("leaseId")).isEqualTo(result.getString("leaseId"));
        assertThat(message.getString("createdAt")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(data(pop("?, 'p', 'g', 2", queue))).isEmpty();
        assertThat(data(pop("?, 'p', 'other', 9", queue))).containsExactly(1, 2, 3);
    }

    @Test
    void pop_anyPartition_takesAllOfThemInTurn() throws SQLException {
        String queue = sql.queue("");
        sql.push(queue, "a", 1);
        sql.push(queue, "b", 1);
        assertThat(data(pop("?", queue))).containsExactly(1);
        assertThat(data(pop("?", queue))).containsExactly(1);
        assertThat(pop("?", queue).getValue("leaseId")).isNull();
    }

    @Test
    void pop_unknownQueueOrPartition_isEmpty() throws SQLException {
        String queue = sql.queue("");
        assertThat(data(pop("?", queue))).isEmpty();
        assertThat(data(pop("?, 'nope'", queue))).isEmpty();
        assertThat(data(pop("?", "nope-" + UUID.randomUUID()))).isEmpty();
    }

    @Test
    void pop_leaseTimeGiven_isUsed() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 1);
        pop("?, p_lease_time_seconds => 7", queue);
        assertThat((Double) sql.one(
                        "select extract(epoch from lease_expires_at - now())::float8 from queen.partition_consumers where partition_id = ?",
                        partition))
                .isBetween(1.0, 7.0);
    }

    @Test
    void pop_modeNew_skipsHistoryAndTakesWhatComes() throws SQLException {
        String queue = sql.queue("");
        sql.push(queue, "p", 2);
        assertThat(data(pop("?, null, 'n', 9, 0, 'new'", queue))).isEmpty();
        sql.push(queue, "p", 1);
        sql.push(queue, "later", 1);
        assertThat(data(pop("?, null, 'n', 9, 0, 'new'", queue))).containsExactly(1);
        assertThat(data(pop("?, null, 'n', 9, 0, 'new'", queue))).containsExactly(1);
    }

    @Test
    void pop_beginningRemoved_findsWhatIsLeft() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 5);
        sql.delete(partition, 1, 3);
        assertThat(data(pop("?, 'p', 'g', 1", queue))).containsExactly(4);
    }

    @Test
    void batch_severalRequests_areAnsweredInOrderWithPartitionsOfTheirOwn() throws SQLException {
        String queue = sql.queue("");
        sql.push(queue, "a", 2);
        sql.push(queue, "b", 2);
        JsonArray results = batch("""
                [{"idx": 7, "queue": "%1$s", "partition": "a", "batch": 5},
                 {"idx": 8, "queue": "%1$s", "batch": 5},
                 {"idx": 9, "queue": "%1$s", "partition": "*"},
                 {"idx": 1, "queue": "%1$s", "partition": "a", "consumerGroup": "x"}]""".formatted(queue));
        assertThat(results.stream().map(r -> ((JsonObject) r).getInteger("idx")))
                .containsExactly(7, 8, 9, 1);
        assertThat(results.stream().map(r -> data(((JsonObject) r).getJsonObject("result"))))
                .containsExactly(List.of(1, 2), List.of(1, 2), List.of(), List.of(1));
    }

    @Test
    void batch_none_isEmpty() throws SQLException {
        assertThat(batch("[]")).isEmpty();
    }
}
