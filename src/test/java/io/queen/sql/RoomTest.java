package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a queue with maxSize is free when groups come, move back and go. */
class RoomTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final String queue = Partitions.name("room");

    @BeforeEach
    void limit() {
        sql.run("insert into queen.queues (name, max_size) values (?, 10)", queue);
    }

    @Test
    void room_secondGroupBegins_isWhatTheSlowestHasLeft() {
        assertThat(push(10)).isEqualTo(10);
        consume("first");
        assertThat(push(1)).as("the room is counted, 9 of 10 are left").isEqualTo(1);
        assertThat(pop("second", 1)).isEqualTo(1);
        assertThat(push(9)).isZero();
        consume("first");
        consume("second");
        assertThat(push(20)).isEqualTo(10);
    }

    @Test
    void room_groupMovedBack_isCountedAnew() {
        push(10);
        consume("first");
        assertThat(push(1)).isEqualTo(1);
        sql.run("select queen.seek_group_v1('first', ?, 'beginning', null, null, 100)", queue);
        assertThat(push(9)).isZero();
    }

    @Test
    void room_lastGroupDeleted_isWhatIsNotStored() {
        push(10);
        consume("first");
        assertThat(push(1)).isEqualTo(1);
        sql.run("select queen.delete_group_v1('first', ?, true)", queue);
        assertThat(push(9)).isZero();
    }

    @Test
    void room_groupThatAcksWithoutPopping_isTheSlowest() {
        push(10);
        consume("first");
        assertThat(push(1)).isEqualTo(1);
        UUID partition = new Partitions(sql).id(queue, "p");
        String id = sql.text("select transaction_id from queen.messages where partition_id = ? and seq = 1", partition);
        assertThat(new AckList(sql)
                        .ack(partition, "second", null, id, "completed")
                        .apply()
                        .get(0)
                        .get("error"))
                .isNull();
        assertThat(push(9)).as("10 of 11 are not consumed").isZero();
    }

    /** A group that nobody ever was would keep the queue full, and what is completed stored, forever. */
    @Test
    void room_refusedAck_isAsBefore() {
        push(10);
        consume("first");
        UUID partition = new Partitions(sql).id(queue, "p");
        assertThat(new AckList(sql)
                        .ack(partition, "ghost", null, "unknown", "completed")
                        .ack(partition, "ghost", UUID.randomUUID(), "unknown", "failed")
                        .ack(partition, "ghost", null, "unknown", "dlq")
                        .ack(UUID.randomUUID(), "ghost", null, "unknown", "retry")
                        .apply())
                .extracting("error")
                .containsOnly("Message not found");
        String id = sql.text("select transaction_id from queen.messages where partition_id = ? and seq = 1", partition);
        assertThat(new AckList(sql)
                        .ack(partition, "ghost", UUID.randomUUID(), id, "completed")
                        .apply())
                .extracting("error")
                .containsOnly("Invalid or expired lease");
        JsonObject transaction = new JsonObject(sql.text(
                "select queen.execute_transaction_v2(?::jsonb)::text",
                "[{\"type\":\"ack\",\"consumerGroup\":\"ghost\",\"partitionId\":\"%s\",\"transactionId\":\"%s\"},"
                                .formatted(partition, id)
                        + "{\"type\":\"ack\",\"consumerGroup\":\"ghost\",\"partitionId\":\"%s\",\"transactionId\":\"no\"}]"
                                .formatted(partition)));
        assertThat(transaction.getBoolean("success")).isFalse();
        assertThat(sql.number(
                        "select count(*) from queen.partition_consumers where partition_id = ? and consumer_group <> 'first'",
                        partition))
                .isZero();
        assertThat(push(20)).isEqualTo(10);
    }

    /** A pop must not wait for a push that has not committed. */
    @Test
    void pop_ofANewGroupDuringAPush_doesNotWait() {
        push(1);
        consume("first");
        try (Sql pusher = Sql.open()) {
            pusher.begin();
            pusher.run(
                    "select queen.push_messages_v2(?::jsonb)",
                    "[{\"queue\":\"" + queue + "\",\"partition\":\"p\",\"payload\":1}]");
            sql.run("set lock_timeout = '5s'");
            assertThat(pop("second", 10)).isEqualTo(1);
            pusher.commit();
        }
    }

    /** How many of them were stored. */
    private long push(int count) {
        JsonArray items = new JsonArray();
        IntStream.range(0, count)
                .forEach(i -> items.add(new JsonObject()
                        .put("queue", queue)
                        .put("partition", "p")
                        .put("payload", i)));
        return new JsonArray(sql.text("select queen.push_messages_v2(?::jsonb)::text", items.encode()))
                .stream()
                        .filter(each -> "queued".equals(((JsonObject) each).getString("status")))
                        .count();
    }

    private int pop(String group, int batch) {
        return new JsonObject(sql.text("select queen.pop_messages_v2(?, null, ?, ?)::text", queue, group, batch))
                .getJsonArray("messages")
                .size();
    }

    /** The group passes all there is. */
    private void consume(String group) {
        sql.run("select queen.pop_messages_v2(?, null, ?, 1)", queue, group);
        sql.run(
                "update queen.partition_consumers c set cursor = p.head, lease_id = null, lease_expires_at = null,"
                        + " lease_last_seq = null from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where p.id = c.partition_id and q.name = ? and c.consumer_group = ?",
                queue,
                group);
    }
}
