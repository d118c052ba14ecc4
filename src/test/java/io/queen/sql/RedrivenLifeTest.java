package io.queen.sql;

import static io.queen.sql.Redrives.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What seeks, removals, deletes and figures make of messages that were redriven, and which dead letters can't be. */
class RedrivenLifeTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Redrives queue = new Redrives(sql, 5);

    @Test
    void redrive_notPassedByTheCursor_comesInItsTurn() {
        sql.run("select queen.dead_letter_message_v1(?, 'm3', 'g', 'by hand')", queue.partition);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor) values (?, 'g', 1)"
                        + " on conflict (partition_id, consumer_group) do update set cursor = 1",
                queue.partition);
        assertThat(queue.redrive()).isEqualTo(1);
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.partitions.deadLetters(queue.partition, GROUP)).isEmpty();
        assertThat(queue.pop().ids()).containsExactly("m2", "m3", "m4", "m5");
    }

    @Test
    void redrive_messageRemoved_isCountedAsGone() {
        queue.fail("m1", "m2");
        sql.run("delete from queen.messages where partition_id = ? and seq = 1", queue.partition);
        Map<String, Object> outcome = sql.row(
                "select * from queen.redrive_messages_v1(?, null, null, null, null, null, null, null, 100)",
                queue.queue);
        assertThat(outcome)
                .containsEntry("redriven", 1)
                .containsEntry("gone", 1)
                .containsEntry("consumer_group", GROUP);
        assertThat(queue.redrive()).isZero();
        assertThat(queue.pop().ids()).containsExactly("m2");
    }

    @Test
    void redrive_groupThatBeginsLater_getsACursorThere() {
        sql.run(
                "insert into queen.subscriptions (queue_name, consumer_group, subscription_mode, subscription_timestamp)"
                        + " values (?, 'late', 'new', now() + interval '1 min')",
                queue.queue);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group) values (?, 'other')",
                queue.partition);
        sql.run("select queen.dead_letter_message_v1(?, 'm2', 'late', 'by hand')", queue.partition);
        assertThat(queue.redrive()).isEqualTo(1);
        assertThat(queue.partitions.cursor(queue.partition, "late")).isEqualTo(5);
        assertThat(queue.pop("late", 10).ids()).containsExactly("m2");
    }

    @Test
    void redrive_concurrent_givesEachOnce() throws Exception {
        queue.fail("m1", "m2", "m3");
        try (Sql another = Sql.open()) {
            another.begin();
            assertThat(another.rows(
                            "select * from queen.redrive_messages_v1(?, null, null, null, null, null, null, null, 2)",
                            queue.queue))
                    .extracting("redriven")
                    .containsExactly(2);
            CompletableFuture<Integer> second = CompletableFuture.supplyAsync(queue::redrive);
            waitForLock();
            another.commit();
            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        }
        assertThat(queue.waiting()).containsExactly(3L, 3L);
        assertThat(queue.pop().ids()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void buried_whileItWaits_isADeadLetterAgain() {
        queue.fail("m1", "m2");
        queue.redrive();
        UUID lease = queue.pop(GROUP, 1).lease();
        sql.run("select queen.dead_letter_message_v1(?, 'm2', 'g', 'by hand')", queue.partition);
        assertThat(queue.held()).isEqualTo(lease);
        assertThat(sql.row("select * from queen.dead_letter_message_v1(?, 'm1', 'g', 'by hand')", queue.partition))
                .containsEntry("lease_released", true)
                .containsEntry("pending", true);
        assertThat(queue.partitions.deadLetters(queue.partition, GROUP)).containsExactly("m1", "m2");
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.pop().ids()).containsExactly("m3", "m4", "m5");
    }

    @Test
    void seek_back_deliversItOnce() {
        queue.fail("m1");
        queue.redrive();
        sql.run("select queen.move_cursors_v1(array[?::uuid], 'g', 'beginning', null)", queue.partition);
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.pop().ids()).containsExactly("m1", "m2", "m3", "m4", "m5");
    }

    @Test
    void deletedGroup_itsRedrivenMessages_areForgotten() {
        queue.fail("m1");
        queue.redrive();
        sql.run("select queen.delete_group_v1('g', ?, true)", queue.queue);
        assertThat(sql.number("select count(*) from queen.redriven where partition_id = ?", queue.partition))
                .isZero();
        assertThat(queue.pop(GROUP, 1).ids()).containsExactly("m1");
    }

    @Test
    void deletedMessage_waiting_isForgotten() {
        queue.fail("m1", "m2");
        queue.redrive();
        UUID lease = queue.pop(GROUP, 1).lease();
        sql.run("select queen.delete_message_v1(?, 'm1')", queue.partition);
        assertThat(queue.held()).as("the lease %s held nothing else", lease).isNull();
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.pop().ids()).containsExactly("m2");
    }

    /** Whoever removes the message does not wait for a row that a pop or an ack holds. */
    @Test
    void removedMessage_whileTheGroupsRowIsLocked_isForgottenAtTheNextPop() {
        queue.fail("m1");
        queue.redrive();
        try (Sql another = Sql.open()) {
            another.begin();
            another.run("select * from queen.partition_consumers where partition_id = ? for update", queue.partition);
            sql.run("select queen.delete_message_v1(?, 'm1')", queue.partition);
            another.commit();
        }
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.pop().ids()).containsExactly("m2", "m3", "m4", "m5");
        assertThat(queue.waiting()).containsExactly(0L, 0L);
    }

    @Test
    void clear_waiting_isForgotten() {
        queue.fail("m1");
        queue.redrive();
        sql.run("select queen.clear_messages_v1(?, null, null, null, 100)", queue.queue);
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.pop().ids()).isEmpty();
    }

    @Test
    void completedRetention_waiting_isKept() {
        sql.run(
                "update queen.queues set retention_enabled = true, completed_retention_seconds = 60 where name = ?",
                queue.queue);
        queue.fail("m1", "m2");
        queue.ack(queue.pop().lease(), "m5", "completed");
        sql.run(
                "update queen.messages set created_at = created_at - interval '1 h' where partition_id = ?",
                queue.partition);
        sql.run(
                "update queen.partitions set last_push_at = last_push_at - interval '1 h' where id = ?",
                queue.partition);
        sql.run("delete from queen.dead_letters where partition_id = ? and seq = 1", queue.partition);
        queue.redrive();
        assertThat(sql.row("select * from queen.expired_range_v1('completed', ?, 100)", queue.partition))
                .containsEntry("upto", 1L);
        queue.ack(queue.pop().lease(), "m2", "completed");
        assertThat(sql.row("select * from queen.expired_range_v1('completed', ?, 100)", queue.partition))
                .containsEntry("upto", 5L);
    }

    @Test
    void retention_waiting_isForgottenWithItsMessage() {
        queue.fail("m1", "m2");
        queue.redrive();
        queue.pop(GROUP, 1);
        sql.run("select queen.remove_messages_v1(?, 0, 1, 10)", queue.partition);
        assertThat(queue.held()).isNull();
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.pop().ids()).containsExactly("m2");
    }

    /** Eviction takes what waits behind the slowest cursor; a lease on an earlier, redriven message is none of it. */
    @Test
    void eviction_behindARedrivenMessage_leavesItsLease() {
        queue.fail("m1");
        queue.redrive();
        UUID lease = queue.pop().lease();
        sql.run("select queen.remove_messages_v1(?, 1, 5, 10)", queue.partition);
        assertThat(queue.held()).isEqualTo(lease);
        assertThat(queue.ack(lease, "m1", "completed")).containsEntry("error", null);
    }

    @Test
    void figures_waitingAndProcessed_countIt() {
        queue.fail("m1", "m2");
        queue.ack(queue.pop().lease(), "m5", "completed");
        assertThat(depth()).containsEntry("pending", 0L).containsEntry("processing", 0L);
        assertThat(news()).isFalse();
        queue.redrive();
        assertThat(depth()).containsEntry("pending", 2L).containsEntry("processing", 0L);
        assertThat(news()).isTrue();
        assertThat(lag()).isEqualTo(2);
        assertThat(standing("m1")).isEqualTo("pending");
        assertThat(standing("m3")).isEqualTo("completed");
        UUID lease = queue.pop(GROUP, 1).lease();
        assertThat(depth()).containsEntry("pending", 1L).containsEntry("processing", 1L);
        assertThat(standing("m1")).isEqualTo("processing");
        assertThat(standing("m2")).isEqualTo("pending");
        queue.ack(lease, "m1", "completed");
        assertThat(standing("m1")).isEqualTo("completed");
        assertThat(depth()).containsEntry("pending", 1L).containsEntry("processing", 0L);
        assertThat(lag()).isEqualTo(1);
    }

    @Test
    void list_byStatus_findsItWhereItStands() {
        queue.fail("m1", "m2");
        queue.ack(queue.pop(GROUP, 2).lease(), "m4", "completed");
        queue.redrive();
        assertThat(listed("pending", GROUP)).isEqualTo("{5,2,1} 3");
        assertThat(listed("completed", GROUP)).isEqualTo("{4,3} 2");
        queue.pop(GROUP, 1);
        assertThat(listed("pending", GROUP)).isEqualTo("{5,2} 2");
        assertThat(listed("processing", GROUP)).isEqualTo("{1} 1");
        assertThat(listed("pending", null))
                .as("of groups alone nothing is said to be processed")
                .isEqualTo("{5,2,1} 3");
        assertThat(listed("completed", null)).isEqualTo("{4,3} 2");
    }

    private String listed(String status, String group) {
        return sql.text(
                "select f.seqs::text || ' ' || f.total from queen.find_messages_v1(?, null, null, null, ?, ?,"
                        + " now() - interval '1 h', now() + interval '1 h', 100, 0) f",
                queue.queue,
                status,
                group);
    }

    /** What a sweep, the push log and the cheap look before a claim say. */
    private boolean news() {
        boolean pending = (Boolean) sql.value("select queen.has_pending_messages(?, null, 'g')", queue.queue);
        assertThat(sql.value("select ids is not null from queen.scan_page_v1(?, 'g', null, 10)", queue.queue))
                .isEqualTo(pending);
        assertThat(sql.value(
                        "select ids is not null from queen.check_partitions_v1('g', array[?::uuid])", queue.partition))
                .isEqualTo(pending);
        assertThat(sql.number("select count(*) from queen.pop_sm_resolve(?, 'g', 10)", queue.queue))
                .isEqualTo(pending ? 1 : 0);
        return pending;
    }

    private Map<String, Object> depth() {
        return sql.row(
                "select d.* from queen.queues q, queen.partition_depths_v1(array[q.id], null) d where q.name = ?",
                queue.queue);
    }

    private long lag() {
        long lag = new JsonObject(sql.text("select queen.queue_lag_v1(?, 'g')", queue.queue)).getLong("lagMessages");
        assertThat(sql.number("select lag from queen.known_queues_v1('g') where queue_name = ?", queue.queue))
                .isEqualTo(lag);
        return lag;
    }

    private String standing(String message) {
        return sql.text(
                "select s.status from queen.messages m, queen.message_standing_v1(m.partition_id, m.seq, 'g') s"
                        + " where m.partition_id = ? and m.transaction_id = ?",
                queue.partition,
                message);
    }

    private void waitForLock() {
        try (Sql watch = Sql.open()) {
            org.awaitility.Awaitility.await()
                    .until(() -> watch.number("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                    + " and query like '%redrive_messages_v1%'")
                            > 0);
        }
    }
}
