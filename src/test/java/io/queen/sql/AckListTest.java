package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What an ack does to a cursor and a lease. Retries and dead letters: {@link AckRetryTest}. */
@AlsoOnInstalledPostgres
class AckListTest {
    private static final String GROUP = "g";
    private static final String LEASE_ERROR = "Invalid or expired lease";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 5);

    @Test
    void completed_inTheMiddle_movesTheCursorAndKeepsTheLease() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        Map<String, Object> result = ack(lease, "m2", "completed");
        assertThat(result.get("error")).isNull();
        assertThat(result.get("lease_released")).isEqualTo(false);
        assertThat(result.get("partition_name")).isEqualTo("Default");
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(2);
        assertThat(held()).isEqualTo(lease);
    }

    @Test
    void completed_lastDelivered_endsTheLeaseByPosition() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        sql.run("update queen.partition_consumers set retry_count = 2 where partition_id = ?", partition);
        Map<String, Object> result = ack(lease, "m3", "completed");
        assertThat(result.get("lease_released")).isEqualTo(true);
        assertThat(result.get("pending")).isEqualTo(true);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
        assertThat(partitions.consumer(partition, GROUP))
                .containsEntry("lease_id", null)
                .containsEntry("retry_count", 0);
        assertThat(partitions.consumer(partition, GROUP)).containsEntry("total_consumed", 3L);
    }

    /** It would skip what lies between, undelivered. */
    @Test
    void ack_beyondWhatTheLeaseDelivered_isRefused() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThat(ack(lease, "m4", "completed").get("error")).isEqualTo("Invalid or expired lease");
        assertThat(ack(lease, "m4", "dlq").get("error")).isEqualTo("Invalid or expired lease");
        assertThat(partitions.cursor(partition, GROUP)).isZero();
        assertThat(held()).isEqualTo(lease);
    }

    /** Forgetting the group is the common mistake. */
    @Test
    void ack_underTheLeaseOfAnotherGroup_isToldWhoHoldsIt() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThat(errors(new AckList(sql)
                        .ack(partition, "__QUEUE_MODE__", lease, "m1", "completed")
                        .ack(partition, "other", lease, "m1", "completed")
                        .ack(partition, "other", UUID.randomUUID(), "m1", "completed")
                        .apply()))
                .containsExactly(
                        LEASE_ERROR + ": it belongs to consumer group 'g', and the ack names no consumerGroup",
                        LEASE_ERROR + ": it belongs to consumer group 'g', and the ack names 'other'",
                        LEASE_ERROR);
        assertThat(sql.number("select count(*) from queen.partition_consumers where partition_id = ?", partition))
                .isEqualTo(1);
    }

    @Test
    void transaction_underTheLeaseOfAnotherGroup_isToldWhoHoldsIt() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThatThrownBy(() -> sql.run(
                        "select queen.transaction_list_v1(null, null, null, null, null, null, null, null, null, null,"
                                + " null, null, null, array[?::uuid], array['m1'], array['__QUEUE_MODE__'], array[null::uuid],"
                                + " array['completed'], array[null::text], array[0], array[?::uuid, ?::uuid], false)",
                        partition,
                        UUID.randomUUID(),
                        lease))
                .hasMessageContaining(LEASE_ERROR + ": it belongs to consumer group 'g'");
    }

    @Test
    void completed_sameMessageManyTimes_doesNotEndTheLease() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        AckList acks = new AckList(sql);
        for (int i = 0; i < 3; i++) {
            acks.ack(partition, GROUP, lease, "m1", "completed");
        }
        assertThat(errors(acks.apply())).containsExactly(null, null, null);
        assertThat(ack(lease, "m1", "completed").get("error")).isNull();
        assertThat(held()).isEqualTo(lease);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
    }

    @Test
    void completed_earlierThanTheCursor_neverMovesBack() {
        UUID lease = partitions.lease(partition, GROUP, 5);
        ack(lease, "m4", "completed");
        assertThat(ack(lease, "m2", "completed").get("error")).isNull();
        assertThat(ack(lease, "m1", "failed").get("error")).isNull();
        assertThat(ack(null, "m1", "dlq").get("error")).isNull();
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(4);
        assertThat(held()).isEqualTo(lease);
        assertThat(partitions.deadLetters(partition, GROUP)).isEmpty();
    }

    @Test
    void completed_inReverseOrder_appliesInSequenceOrder() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        AckList acks = new AckList(sql);
        for (String message : List.of("m3", "m2", "m1")) {
            acks.ack(partition, GROUP, lease, message, "completed");
        }
        assertThat(errors(acks.apply())).containsExactly(null, null, null);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
        assertThat(held()).isNull();
    }

    @Test
    void ack_unknownMessage_isNotFoundAndTheOthersApply() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        List<Map<String, Object>> results = new AckList(sql)
                .ack(partition, GROUP, lease, "m1", "completed")
                .ack(partition, GROUP, lease, "nope", "completed")
                .ack(partition, GROUP, lease, "m2", "completed")
                .apply();
        assertThat(errors(results)).containsExactly(null, "Message not found", null);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(2);
    }

    @Test
    void ack_unknownPartition_isNotFoundWithoutNames() {
        Map<String, Object> result = new AckList(sql)
                .ack(UUID.randomUUID(), GROUP, null, "m1", "completed")
                .apply()
                .get(0);
        assertThat(result.get("error")).isEqualTo("Message not found");
        assertThat(result.get("queue_name")).isNull();
        assertThat(result.get("partition_name")).isNull();
    }

    @Test
    void ack_queueDeletedAndMessagesNotYetPurged_isNotFound() {
        sql.run(
                "select queen.delete_queue_v1(q.name) from queen.queues q"
                        + " join queen.partitions p on p.queue_id = q.id where p.id = ?",
                partition);
        assertThat(ack(null, "m1", "completed").get("error")).isEqualTo("Message not found");
    }

    @Test
    void ack_otherLease_isRefusedAndChangesNothing() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThat(ack(UUID.randomUUID(), "m1", "completed").get("error")).isEqualTo(LEASE_ERROR);
        assertThat(ack(UUID.randomUUID(), "m1", "failed").get("error")).isEqualTo(LEASE_ERROR);
        assertThat(partitions.cursor(partition, GROUP)).isZero();
        assertThat(held()).isEqualTo(lease);
    }

    @Test
    void ack_expiredLease_isRefused() {
        UUID lease = partitions.lease(partition, GROUP, 3, -1);
        assertThat(ack(lease, "m1", "completed").get("error")).isEqualTo(LEASE_ERROR);
        assertThat(partitions.cursor(partition, GROUP)).isZero();
    }

    @Test
    void ack_withoutLease_isNotChecked() {
        partitions.lease(partition, GROUP, 3);
        assertThat(ack(null, "m3", "completed").get("error")).isNull();
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
        assertThat(held()).isNull();
    }

    @Test
    void ack_groupWithoutCursorRow_createsIt() {
        Map<String, Object> result = ack(null, "m2", "completed");
        assertThat(result.get("error")).isNull();
        assertThat(result.get("lease_released")).isEqualTo(true);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(2);
    }

    @Test
    void ack_groupWithoutCursorRowUnderALease_isRefused() {
        assertThat(ack(UUID.randomUUID(), "m2", "completed").get("error")).isEqualTo(LEASE_ERROR);
    }

    @Test
    void ack_severalGroups_areIndependent() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        UUID other = partitions.lease(partition, "other", 5);
        List<Map<String, Object>> results = new AckList(sql)
                .ack(partition, GROUP, lease, "m3", "failed")
                .ack(partition, "other", other, "m4", "completed")
                .ack(partition, GROUP, other, "m1", "completed")
                .apply();
        assertThat(errors(results))
                .containsExactly(
                        null, null, LEASE_ERROR + ": it belongs to consumer group 'other', and the ack names 'g'");
        assertThat(partitions.cursor(partition, GROUP)).isZero();
        assertThat(partitions.cursor(partition, "other")).isEqualTo(4);
    }

    /** Both may stand in one list: a consumer that lost its lease, and the one that has it now. */
    @Test
    void ack_sameMessageFromOldAndNewHolder_countsForTheNewOne() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        List<Map<String, Object>> results = new AckList(sql)
                .ack(partition, GROUP, UUID.randomUUID(), "m3", "completed")
                .ack(partition, GROUP, lease, "m3", "completed")
                .apply();
        assertThat(errors(results)).containsExactly(LEASE_ERROR, null);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
    }

    @Test
    void ack_sentAgainAfterItEndedItsLease_isNoError() {
        UUID lease = partitions.lease(partition, GROUP, 2);
        AckList acks = new AckList(sql).ack(partition, GROUP, lease, "m2", "completed");
        acks.apply();
        assertThat(errors(acks.apply())).containsExactly(LEASE_ERROR);
        assertThat(errors(acks.apply(true))).containsExactly((Object) null);
    }

    @Test
    void retry_always_endsTheLeaseAndCountsNothing() {
        UUID lease = partitions.lease(partition, GROUP, 3);
        List<Map<String, Object>> results = new AckList(sql)
                .ack(partition, GROUP, lease, "m1", "completed")
                .ack(partition, GROUP, lease, "m2", "retry")
                .ack(partition, GROUP, lease, "m3", "completed")
                .apply();
        assertThat(errors(results)).containsExactly(null, null, LEASE_ERROR);
        assertThat(partitions.consumer(partition, GROUP))
                .containsEntry("lease_id", null)
                .containsEntry("retry_count", 0);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
    }

    private Map<String, Object> ack(UUID lease, String message, String status) {
        return new AckList(sql)
                .ack(partition, GROUP, lease, message, status)
                .apply()
                .get(0);
    }

    private Object held() {
        return partitions.consumer(partition, GROUP).get("lease_id");
    }

    private static List<Object> errors(List<Map<String, Object>> results) {
        return results.stream().map(result -> result.get("error")).collect(java.util.stream.Collectors.toList());
    }
}
