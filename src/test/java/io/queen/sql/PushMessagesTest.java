package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@AlsoOnInstalledPostgres
class PushMessagesTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("push");

    @Test
    void push_severalItems_numbersThemInOrder() {
        push(item("p", "a"), item("other", "x"), item("p", "b"));
        push(item("p", "c"));
        assertThat(messages("p")).isEqualTo("1a 2b 3c");
        assertThat(messages("other")).isEqualTo("1x");
        assertThat(head("p")).isEqualTo(3);
    }

    @Test
    void push_stored_answersInOrderWithIds() {
        JsonArray results = push(item("p", "a"), item("other", "b"));
        JsonObject second = results.getJsonObject(1);
        assertThat(second.getInteger("index")).isEqualTo(1);
        assertThat(second.getString("status")).isEqualTo("queued");
        assertThat(second.getString("transaction_id")).isEqualTo("b");
        assertThat(second.getString("partition_id"))
                .isEqualTo(partitions.id(queue, "other").toString());
        assertThat(second.getString("queueName")).isEqualTo(queue);
        assertThat(UUID.fromString(second.getString("message_id")).version()).isEqualTo(7);
    }

    @Test
    void push_headersAndTimes_areStoredAndPopped() {
        push(
                with(item("p", "a"), "{\"headers\": {\"h\": \"1\"}, \"deliverAt\": \"2024-01-01T00:00:00Z\"}"),
                with(item("p", "b"), "{\"headers\": {}, \"delaySeconds\": 0}"));
        JsonArray popped =
                new JsonObject(sql.text("select queen.pop_messages_v2(?)::text", queue)).getJsonArray("messages");
        assertThat(popped.getJsonObject(0).getJsonObject("headers")).isEqualTo(new JsonObject().put("h", "1"));
        assertThat(popped.getJsonObject(0).getString("deliverAt")).isEqualTo("2024-01-01T00:00:00.000000Z");
        assertThat(popped.getJsonObject(1).fieldNames()).doesNotContain("headers", "deliverAt");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"headers\": 1}",
                "{\"headers\": {\"a\": 1}}",
                "{\"headers\": {\"\": \"1\"}}",
                "{\"delaySeconds\": -1}",
                "{\"delaySeconds\": \"x\"}",
                "{\"delaySeconds\": 315360001}",
                "{\"deliverAt\": \"soon\"}",
                "{\"deliverAt\": \"2999-01-01\"}",
                "{\"deliverAt\": \"2024-01-01\", \"delaySeconds\": 1}"
            })
    void push_wrongHeadersOrTime_fails(String wrong) {
        Sql.SqlFailure failure = catchThrowableOfType(Sql.SqlFailure.class, () -> push(with(item("p", "a"), wrong)));
        assertThat(failure.state()).isEqualTo("QU001");
    }

    @Test
    void push_sameIdTwiceInTheList_isStoredOnce() {
        JsonArray results = push(item("p", "a"), item("p", "b"), item("p", "a"), item("other", "a"));
        assertThat(statuses(results)).isEqualTo("queued queued duplicate queued");
        assertThat(id(results, 2)).isEqualTo(id(results, 0));
        assertThat(messages("p")).isEqualTo("1a 2b");
    }

    @Test
    void push_storedBefore_givesTheStoredIdAndNoGap() {
        JsonArray first = push(item("p", "a"));
        JsonArray results = push(item("p", "x"), item("p", "a"), item("p", "y"), item("p", "a"), item("other", "z"));
        assertThat(statuses(results)).isEqualTo("queued duplicate queued duplicate queued");
        assertThat(id(results, 1)).isEqualTo(id(first, 0));
        assertThat(id(results, 3)).isEqualTo(id(first, 0));
        assertThat(messages("p")).isEqualTo("1a 2x 3y");
        assertThat(head("p")).isEqualTo(3);
    }

    @Test
    void push_allStoredBefore_changesNothing() {
        push(item("p", "a"), item("p", "b"));
        assertThat(statuses(push(item("p", "b"), item("p", "a")))).isEqualTo("duplicate duplicate");
        assertThat(head("p")).isEqualTo(2);
    }

    @Test
    void push_nothing_isNothing() {
        assertThat(push()).isEmpty();
    }

    @Test
    void push_itemWithoutQueue_failsWithOurState() {
        Sql.SqlFailure failure = catchThrowableOfType(Sql.SqlFailure.class, () -> push("{\"payload\":1}"));
        assertThat(failure.state()).isEqualTo("QU001");
    }

    @Test
    void push_defaults_areThoseOfTheProtocol() {
        JsonObject result =
                push("{\"queue\":\"" + queue + "\",\"transactionId\":\"\"}").getJsonObject(0);
        assertThat(result.getString("transactionId")).hasSize(36);
        assertThat(sql.text(
                        "select payload from queen.messages where partition_id = ?", partitions.id(queue, "Default")))
                .isEqualTo("null");
    }

    @Test
    void push_dottedName_givesNamespaceAndTask() {
        for (String[] each : new String[][] {{"a.b.c", "a", "b"}, {"plain", "plain", ""}, {"x.y", "x", "y"}}) {
            String name = each[0] + Partitions.name("");
            String stem = each[0].contains(".") ? each[1] : name;
            sql.run("select queen.push_messages_v2(?::jsonb)", "[{\"queue\":\"" + name + "\"}]");
            assertThat(sql.text("select namespace from queen.queues where name = ?", name))
                    .isEqualTo(stem);
            assertThat(sql.text("select task from queen.queues where name = ?", name))
                    .startsWith(each[2]);
        }
    }

    @Test
    void push_severalCalls_createdAtNeverFalls() {
        push(item("p", "a"));
        sql.run(
                "update queen.partitions set last_push_at = now() + interval '1 hour' where id = ?",
                partitions.id(queue, "p"));
        push(item("p", "b"));
        push(item("p", "c"), item("other", "x"));
        assertThat(sql.number(
                        "select count(*) from (select created_at, lag(created_at) over (order by seq) as before"
                                + " from queen.messages where partition_id = ?) m where created_at < before",
                        partitions.id(queue, "p")))
                .isZero();
    }

    @Test
    void push_insideATransactionRolledBack_leavesNothing() {
        push(item("p", "a"));
        sql.begin();
        push(item("p", "b"));
        sql.run("rollback");
        push(item("p", "c"));
        assertThat(messages("p")).isEqualTo("1a 2c");
    }

    @Test
    void push_thousandItemsToHundredPartitions_isStoredWhole() {
        push(IntStream.range(0, 1000)
                .mapToObj(i -> item("p" + i % 100, "t" + i))
                .toArray(String[]::new));
        assertThat(sql.number(
                        "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                + " join queen.queues q on q.id = p.queue_id where q.name = ? and p.head = 10",
                        queue))
                .isEqualTo(1000);
    }

    private String item(String partition, String transactionId) {
        return "{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\",\"payload\":1}"
                .formatted(queue, partition, transactionId);
    }

    @Test
    void push_producerNamed_isPoppedWithIt() {
        String items =
                "[{\"queue\":\"%1$s\",\"producerSub\":\"billing\"},{\"queue\":\"%1$s\",\"producerSub\":\"\"},{\"queue\":\"%1$s\"}]"
                        .formatted(queue);
        assertThat(statuses(new JsonArray(sql.text("select queen.push_messages_v3(?::jsonb)::text", items))))
                .isEqualTo("queued queued queued");
        String request = "[{\"idx\":7,\"queue\":\"%s\",\"batch\":9}]".formatted(queue);
        JsonObject popped =
                new JsonArray(sql.text("select queen.pop_specific_batch(?::jsonb)::text", request)).getJsonObject(0);
        assertThat(popped.getInteger("idx")).isEqualTo(7);
        assertThat(popped.getJsonObject("result").getJsonArray("messages"))
                .extracting(message -> ((JsonObject) message).getString("producerSub"))
                .containsExactly("billing", null, null);
    }

    private static String with(String item, String more) {
        return new JsonObject(item).mergeIn(new JsonObject(more)).encode();
    }

    private JsonArray push(String... items) {
        return new JsonArray(
                sql.text("select queen.push_messages_v2(?::jsonb)::text", "[" + String.join(",", items) + "]"));
    }

    private static String statuses(JsonArray results) {
        return String.join(
                " ",
                results.stream()
                        .map(result -> ((JsonObject) result).getString("status"))
                        .toList());
    }

    private static String id(JsonArray results, int index) {
        return results.getJsonObject(index).getString("message_id");
    }

    private long head(String partition) {
        return sql.number("select head from queen.partitions where id = ?", partitions.id(queue, partition));
    }

    private String messages(String partition) {
        return sql.text(
                "select string_agg(seq || transaction_id, ' ' order by seq) from queen.messages where partition_id = ?",
                partitions.id(queue, partition));
    }
}
