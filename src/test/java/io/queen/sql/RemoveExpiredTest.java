package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@AlsoOnInstalledPostgres
class RemoveExpiredTest {
    private static final String RETENTION = "retention_enabled = true, retention_seconds = 60";
    private static final String COMPLETED = "retention_enabled = true, completed_retention_seconds = 60";
    private static final String EVICTION = "max_wait_time_seconds = 60";

    @AutoClose
    private final RetentionSql db = new RetentionSql();

    private void has(UUID partition, long head, long tail, long removed) {
        assertThat(db.partition(partition)).isEqualTo(Map.of("head", head, "tail", tail, "removed", removed));
    }

    @Test
    void retention_oldMessages_goWhetherConsumedOrNot() {
        UUID partition = db.filled(RETENTION, 10, 6);
        db.group(partition, "g", 3);
        assertThat(db.remove("retention", partition)).isEqualTo(6);
        assertThat(db.stored(partition)).containsExactly(7L, 8L, 9L, 10L);
        has(partition, 10, 6, 6);
        assertThat(db.partitions.cursor(partition, "g")).isEqualTo(6);
    }

    @Test
    void retention_nothingOld_changesNothing() {
        UUID partition = db.filled(RETENTION, 3, 0);
        assertThat(db.remove("retention", partition)).isZero();
        has(partition, 3, 0, 0);
    }

    @Test
    void retention_switchedOff_changesNothing() {
        UUID partition = db.filled("retention_enabled = false, retention_seconds = 60", 3, 3);
        assertThat(db.remove("retention", partition)).isZero();
        assertThat(db.due("retention", 10)).isEmpty();
        assertThat(db.stored(partition)).hasSize(3);
    }

    @Test
    void retention_everythingOld_leavesAPartitionThatLooksEmpty() {
        UUID partition = db.filled(RETENTION, 5, 5);
        db.group(partition, "g", 1);
        db.remove("retention", partition);
        has(partition, 5, 5, 5);
        assertThat(db.sql.value("select queen.has_pending_messages(?, 'p', 'g')", db.queue))
                .isEqualTo(false);
        assertThat(db.sql.value("select queen.has_pending_messages(?, 'p', 'new')", db.queue))
                .isEqualTo(false);
    }

    @Test
    void retention_moreThanOnePortion_goesOnWhereItStopped() {
        UUID partition = db.filled(RETENTION, 10, 8);
        assertThat(db.portion("retention", partition, 3))
                .containsEntry("removed", 3L)
                .containsEntry("remaining", 1);
        has(partition, 10, 3, 3);
        assertThat(db.remove("retention", partition, 3)).isEqualTo(3);
        assertThat(db.portion("retention", partition, 3))
                .containsEntry("removed", 2L)
                .containsEntry("remaining", 0);
        has(partition, 10, 8, 8);
    }

    @ParameterizedTest
    @CsvSource({"retention, 'retention_enabled = true, retention_seconds = 60'", "eviction, max_wait_time_seconds = 60"
    })
    void anyKind_aMessageNotDueOrJustDue_staysWithAllBehindIt(String kind, String settings) {
        UUID partition = db.filled(settings, 10, 8);
        delay(partition, 5, "30 s");
        assertThat(db.portion(kind, partition, 3)).containsEntry("removed", 3L).containsEntry("remaining", 1);
        assertThat(db.portion(kind, partition, 3)).containsEntry("removed", 1L).containsEntry("remaining", 0);
        assertThat(db.stored(partition)).startsWith(5L).hasSize(6);
        assertThat(db.due(kind, 10)).isEmpty();
        delay(partition, 5, "-30 s");
        assertThat(db.remove(kind, partition)).isZero();
        assertThat(db.due(kind, 10)).isEmpty();
        delay(partition, 5, "-61 s");
        assertThat(db.due(kind, 10)).containsExactly("p");
        assertThat(db.remove(kind, partition)).isEqualTo(4);
    }

    private void delay(UUID partition, long seq, String from) {
        db.sql.run(
                "update queen.messages set deliver_at = now() + ?::interval where partition_id = ? and seq = ?",
                from,
                partition,
                seq);
        db.sql.run("update queen.partitions set delayed_until = now() + ?::interval where id = ?", from, partition);
    }

    @Test
    void retention_holes_areSteppedOver() {
        UUID partition = db.filled(RETENTION, 9, 7);
        db.sql.run("delete from queen.messages where partition_id = ? and seq in (2, 3, 6)", partition);
        db.sql.run("update queen.partitions set removed = 3 where id = ?", partition);
        assertThat(db.remove("retention", partition, 2)).isEqualTo(2);
        assertThat(db.stored(partition)).containsExactly(5L, 7L, 8L, 9L);
        assertThat(db.remove("retention", partition, 9)).isEqualTo(2);
        has(partition, 9, 7, 7);
    }

    @Test
    void retention_messageUnderLease_endsALeaseThatHasNothingLeft() {
        UUID partition = db.filled(RETENTION, 6, 4);
        db.partitions.lease(partition, "all-gone", 4);
        UUID lease = db.partitions.lease(partition, "some-left", 5);
        db.remove("retention", partition);
        assertThat(db.partitions.consumer(partition, "all-gone"))
                .containsEntry("cursor", 4L)
                .containsEntry("lease_id", null);
        assertThat(db.partitions.consumer(partition, "some-left"))
                .containsEntry("cursor", 4L)
                .containsEntry("lease_id", lease);
        assertThat(db.sql.number("select count(*) from queen.push_log where partition_ids = array[?::uuid]", partition))
                .as("the push, and the news that the partition is free")
                .isEqualTo(2);
    }

    @Test
    void retention_deadLettersAndTraces_goWithTheirMessages() {
        UUID partition = db.filled(RETENTION, 3, 2);
        for (int seq = 1; seq <= 3; seq++) {
            db.sql.run(
                    "insert into queen.dead_letters (partition_id, consumer_group, seq, message_id, transaction_id)"
                            + " values (?, 'g', ?, gen_random_uuid(), ?)",
                    partition,
                    seq,
                    "m" + seq);
            db.sql.run(
                    "insert into queen.traces (partition_id, transaction_id, consumer_group, data) values (?, ?, 'g', '{}')",
                    partition,
                    "m" + seq);
        }
        db.remove("retention", partition);
        assertThat(db.partitions.deadLetters(partition, "g")).containsExactly("m3");
        assertThat(db.sql.value(
                        "select string_agg(transaction_id, ',') from queen.traces where partition_id = ?", partition))
                .isEqualTo("m3");
    }

    @Test
    void completed_passedByAllGroups_goes() {
        UUID partition = db.filled(COMPLETED, 10, 8);
        db.group(partition, "fast", 10);
        db.group(partition, "slow", 5);
        assertThat(db.remove("completed", partition)).isEqualTo(5);
        has(partition, 10, 5, 5);
        assertThat(db.partitions.cursor(partition, "slow")).isEqualTo(5);
    }

    @Test
    void completed_young_stays() {
        UUID partition = db.filled(COMPLETED, 10, 4);
        db.group(partition, "g", 10);
        assertThat(db.remove("completed", partition)).isEqualTo(4);
        assertThat(db.stored(partition)).hasSize(6);
    }

    @Test
    void completed_aGroupThatNeverConsumed_keepsEverything() {
        UUID partition = db.filled(COMPLETED, 5, 5);
        db.group(partition, "done", 5);
        db.group(partition, "idle", 0);
        assertThat(db.due("completed", 10)).isEmpty();
        assertThat(db.remove("completed", partition)).isZero();
    }

    @Test
    void completed_noGroups_keepsEverything() {
        UUID partition = db.filled(COMPLETED, 5, 5);
        assertThat(db.due("completed", 10)).isEmpty();
        assertThat(db.remove("completed", partition)).isZero();
    }

    @Test
    void eviction_waitingMessages_goAndConsumedOnesStay() {
        UUID partition = db.filled(EVICTION, 10, 8);
        db.group(partition, "g", 3);
        assertThat(db.remove("eviction", partition)).isEqualTo(5);
        assertThat(db.stored(partition)).containsExactly(1L, 2L, 3L, 9L, 10L);
        has(partition, 10, 0, 5);
        assertThat(db.partitions.cursor(partition, "g")).isEqualTo(8);
    }

    @Test
    void eviction_oneOfTwoGroupsWaits_takesItFromBoth() {
        UUID partition = db.filled(EVICTION, 6, 6);
        db.group(partition, "slow", 2);
        db.group(partition, "fast", 4);
        assertThat(db.remove("eviction", partition)).isEqualTo(4);
        assertThat(db.stored(partition)).containsExactly(1L, 2L);
        assertThat(db.partitions.cursor(partition, "slow")).isEqualTo(6);
        assertThat(db.partitions.cursor(partition, "fast")).isEqualTo(6);
    }

    @Test
    void eviction_noGroups_takesAllOld() {
        UUID partition = db.filled(EVICTION, 6, 4);
        assertThat(db.remove("eviction", partition)).isEqualTo(4);
        has(partition, 6, 4, 4);
    }

    @Test
    void eviction_passedByAll_takesNothing() {
        UUID partition = db.filled(EVICTION, 6, 6);
        db.group(partition, "g", 6);
        assertThat(db.due("eviction", 10)).isEmpty();
        assertThat(db.remove("eviction", partition)).isZero();
        assertThat(db.stored(partition)).hasSize(6);
    }

    @Test
    void eviction_thenCompleted_leavesNothingThatLooksFull() {
        UUID partition = db.filled(EVICTION + ", " + COMPLETED, 6, 6);
        db.group(partition, "g", 2);
        db.remove("eviction", partition);
        has(partition, 6, 0, 4);
        db.remove("completed", partition);
        has(partition, 6, 6, 6);
    }

    @Test
    void due_partitionsInSteps_findsThoseWithSomethingOld() {
        db.filled(RETENTION, 2, 1);
        db.add("a", 2, 2);
        db.add("b", 2, 0);
        db.add("z", 2, 1);
        assertThat(db.due("retention", 1)).containsExactly("a", "p", "z");
        assertThat(db.due("retention", 3)).containsExactly("a", "p", "z");
        assertThat(db.due("eviction", 3)).isEmpty();
    }

    @Test
    void remove_partitionHeldBySomebody_isPassedOverAndGivenBack() {
        UUID partition = db.filled(RETENTION, 3, 3);
        try (Sql other = RetentionSql.another().begin()) {
            other.run("select from queen.partitions where id = ? for no key update", partition);
            assertThat(db.portion("retention", partition, 9))
                    .containsEntry("removed", 0L)
                    .containsEntry("remaining", 1);
            other.commit();
        }
        assertThat(db.remove("retention", partition)).isEqualTo(3);
    }

    @Test
    void remove_cursorHeldBySomebody_isMovedByTheNextPop() {
        UUID partition = db.filled(RETENTION, 3, 3);
        db.group(partition, "g", 1);
        try (Sql other = RetentionSql.another().begin()) {
            other.run("select from queen.partition_consumers where partition_id = ? for update", partition);
            assertThat(db.remove("retention", partition)).isEqualTo(3);
            other.commit();
        }
        assertThat(db.partitions.cursor(partition, "g")).isEqualTo(1);
        assertThat(db.sql.value("select queen.has_pending_messages(?, 'p', 'g')", db.queue))
                .isEqualTo(false);
    }

    @Test
    void remove_anotherSessionAtIt_leavesItAlone() {
        UUID partition = db.filled(RETENTION, 3, 3);
        try (Sql other = RetentionSql.another().begin()) {
            other.run("select pg_advisory_xact_lock(hashtext('queen.remove_expired'))");
            assertThat(db.remove("retention", partition)).isNull();
            other.commit();
        }
    }

    @Test
    void remove_goneOrUnknownPartition_isForgotten() {
        assertThat(db.portion("retention", UUID.randomUUID(), 9))
                .containsEntry("removed", 0L)
                .containsEntry("remaining", 0);
    }

    @Test
    void history_severalPortions_isOneRowPerRunQueueAndKind() {
        UUID partition = db.filled(RETENTION + ", max_wait_time_seconds = 60", 6, 5);
        db.remove("eviction", partition, 2);
        db.remove("retention", partition, 2);
        db.remove("retention", partition, 2);
        db.remove("retention", partition, 2);
        List<Map<String, Object>> rows = db.sql.rows(
                "select kind, deleted_count from queen.retention_history where queue_name = ? order by kind", db.queue);
        assertThat(rows)
                .containsExactly(
                        Map.of("kind", "eviction", "deleted_count", 2L),
                        Map.of("kind", "retention", "deleted_count", 3L));
    }

    @Test
    void push_sameTransactionIdAfterRemoval_isStoredAgain() {
        UUID partition = db.filled(RETENTION, 1, 1);
        db.remove("retention", partition);
        db.partitions.push(db.queue, "p", 1);
        assertThat(db.stored(partition)).containsExactly(2L);
    }
}
