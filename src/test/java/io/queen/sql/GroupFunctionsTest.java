package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class GroupFunctionsTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("groups");
    private final String group = Partitions.name("g");

    private Map<String, Object> seek(String to, String after, int limit) {
        return sql.row("select * from queen.seek_group_v1(?, ?, ?, null, ?, ?)", group, queue, to, after, limit);
    }

    private long logged(UUID partition) {
        return sql.number("select count(*) from queen.push_log where ? = any (partition_ids)", partition);
    }

    private UUID consumed(String partition, int messages, long cursor) {
        UUID id = partitions.push(queue, partition, messages);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor) values (?, ?, ?)",
                id,
                group,
                cursor);
        return id;
    }

    @Test
    void seek_inPortions_movesEveryPartitionOnce() {
        List<UUID> ids = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            ids.add(consumed(name, 2, 2));
        }
        String after = null;
        List<Object> moved = new ArrayList<>();
        do {
            Map<String, Object> portion = seek("beginning", after, 2);
            moved.add(portion.get("moved"));
            after = (String) portion.get("last_name");
        } while (after != null);
        assertThat(moved).containsExactly(2, 2, 1);
        assertThat(ids)
                .allSatisfy(id -> assertThat(partitions.cursor(id, group)).isZero());
    }

    @Test
    void seek_back_isInThePushLogAndToTheEndIsNot() {
        UUID id = consumed("p", 3, 3);
        long before = logged(id);
        seek("end", null, 10);
        assertThat(logged(id)).isEqualTo(before);
        seek("beginning", null, 10);
        assertThat(logged(id)).isEqualTo(before + 1);
    }

    @Test
    void seek_leased_dropsTheLeaseAndKeepsTheRest() {
        UUID id = consumed("p", 3, 1);
        partitions.lease(id, group, 3);
        sql.run(
                "update queen.partition_consumers set retry_count = 2, total_consumed = 7"
                        + " where partition_id = ? and consumer_group = ?",
                id,
                group);
        seek("end", null, 10);
        assertThat(partitions.consumer(id, group))
                .containsEntry("cursor", 3L)
                .containsEntry("lease_id", null)
                .containsEntry("lease_expires_at", null)
                .containsEntry("lease_last_seq", null)
                .containsEntry("retry_count", 2)
                .containsEntry("total_consumed", 7L);
    }

    @Test
    void seek_toATime_includesTheMessageOfThatTime() {
        UUID id = consumed("p", 1, 0);
        for (int i = 2; i <= 3; i++) {
            sql.run(
                    "select queen.push_messages_v2(jsonb_build_array(jsonb_build_object("
                            + "'queue', ?::text, 'partition', 'p', 'transactionId', ?::text)))",
                    queue,
                    "x" + i);
        }
        sql.run(
                "select queen.move_cursors_v1(array[?::uuid], ?, 'time',"
                        + " (select created_at from queen.messages where partition_id = ? and seq = 2))",
                id,
                group,
                id);
        assertThat(partitions.cursor(id, group)).isEqualTo(2);
    }

    @Test
    void seek_emptyPartition_isLeftOut() {
        consumed("p", 1, 0);
        sql.run(
                "insert into queen.partitions (queue_id, name) select id, 'empty' from queen.queues where name = ?",
                queue);
        assertThat(seek("end", null, 10)).containsEntry("moved", 1);
    }

    @Test
    void seek_whilePushHoldsThePartition_doesNotWait() {
        UUID id = consumed("p", 2, 0);
        try (Sql pusher = Sql.open().begin()) {
            new Partitions(pusher).push(queue, "p", 3);
            sql.run("set lock_timeout = '10s'");
            assertThat(seek("end", null, 10)).containsEntry("moved", 1);
            pusher.commit();
        }
        assertThat(partitions.cursor(id, group)).isEqualTo(2);
    }

    @Test
    void delete_group_logsWhatIsNewsAgain() {
        UUID id = consumed("p", 3, 3);
        long before = logged(id);
        Map<String, Object> gone = sql.row("select deleted, metadata from queen.delete_group_v1(?, null, true)", group);
        assertThat(gone).containsEntry("deleted", 1).containsEntry("metadata", false);
        assertThat(logged(id)).isEqualTo(before + 1);
    }

    @Test
    void list_tailBeyondTheCursor_isNotLag() {
        UUID id = consumed("p", 5, 1);
        sql.run("update queen.partitions set tail = 4 where id = ?", id);
        assertThat(listed().getLong("lagMessages")).isEqualTo(1);
        sql.run("update queen.partitions set tail = 5 where id = ?", id);
        assertThat(listed().getLong("lagMessages")).isZero();
        assertThat(listed().getLong("partitionsWithLag")).isZero();
    }

    @Test
    void list_untouchedPartitionOlderThanTheSubscription_countsAsOne() {
        UUID id = partitions.push(queue, "p", 2);
        sql.run("update queen.partitions set created_at = created_at - interval '1 hour' where id = ?", id);
        sql.run(
                "insert into queen.subscriptions (queue_name, consumer_group, subscription_mode, subscription_timestamp)"
                        + " select ?, ?, 'timestamp', last_push_at - interval '1 minute' from queen.partitions where id = ?",
                queue,
                group,
                id);
        assertThat(listed().getLong("lagMessages")).isEqualTo(1);
        JsonObject described = new JsonObject(sql.text("select queen.describe_group_v1(?, 10, 0)", group));
        JsonObject partition =
                described.getJsonObject(queue).getJsonArray("partitions").getJsonObject(0);
        assertThat(partition.getLong("offsetLag")).isEqualTo(2);
        assertThat(partition.getValue("cursor")).isNull();
    }

    @Test
    void list_partitionSubscription_winsOverThatOfTheQueue() {
        partitions.push(queue, "p", 2);
        partitions.push(queue, "r", 3);
        subscribe("", "2100-01-01");
        assertThat(listed().getLong("lagMessages")).isZero();
        subscribe("r", "2020-01-01");
        assertThat(listed().getLong("lagMessages")).isEqualTo(3);
    }

    private void subscribe(String partition, String time) {
        sql.run(
                "insert into queen.subscriptions (queue_name, consumer_group, partition_name, subscription_mode,"
                        + " subscription_timestamp) values (?, ?, ?, 'timestamp', ?::timestamptz)",
                queue,
                group,
                partition,
                time);
    }

    private JsonObject listed() {
        for (Object each : new JsonArray(sql.text("select queen.list_groups_v1(10000, 0)"))) {
            if (group.equals(((JsonObject) each).getString("name"))) {
                return (JsonObject) each;
            }
        }
        throw new AssertionError(group + " is not listed");
    }
}
