package io.queen.sql;

import static io.queen.sql.Redrives.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.sql.Redrives.Popped;
import io.queen.testing.Sql;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Dead letters that go back to their group: how they are delivered, acked and failed again. */
class RedriveTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Redrives queue = new Redrives(sql, 5);

    @Test
    void redriven_otherGroupConsumedIt_doesNotSeeItAgain() {
        queue.fail("m1");
        queue.ack(queue.pop().lease(), "m5", "completed");
        Popped other = queue.pop("other", 10);
        new AckList(sql)
                .ack(queue.partition, "other", other.lease(), "m5", "completed")
                .apply();
        assertThat(queue.redrive()).isEqualTo(1);
        assertThat(queue.pop("other", 10).ids()).isEmpty();
        assertThat(queue.pop().ids()).containsExactly("m1");
        assertThat(queue.partitions.cursor(queue.partition, GROUP)).isEqualTo(5);
    }

    @Test
    void redriven_othersAreLeft_comesBeforeThemInABatchOfItsOwn() {
        queue.fail("m1", "m2");
        assertThat(queue.redrive()).isEqualTo(2);
        Popped again = queue.pop();
        assertThat(again.ids()).containsExactly("m1", "m2");
        assertThat(queue.pop().ids()).as("one lease at a time").isEmpty();
        Map<String, Object> acked = queue.ack(again.lease(), "m2", "completed");
        assertThat(acked)
                .containsEntry("error", null)
                .containsEntry("lease_released", true)
                .containsEntry("pending", true);
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.pop().ids()).containsExactly("m3", "m4", "m5");
    }

    @Test
    void redriven_smallBatches_comeInOrder() {
        queue.fail("m1", "m2", "m3");
        queue.redrive();
        for (String message : List.of("m1", "m2", "m3", "m4")) {
            Popped one = queue.pop(GROUP, 1);
            assertThat(one.ids()).containsExactly(message);
            assertThat(queue.ack(one.lease(), message, "completed")).containsEntry("lease_released", true);
        }
        assertThat(queue.partitions.cursor(queue.partition, GROUP)).isEqualTo(4);
    }

    @Test
    void redriven_partOfTheBatchAcked_keepsTheLeaseForTheRest() {
        queue.fail("m1", "m2", "m3");
        queue.redrive();
        UUID lease = queue.pop().lease();
        assertThat(queue.ack(lease, "m2", "completed")).containsEntry("lease_released", false);
        assertThat(queue.held()).isEqualTo(lease);
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.ack(lease, "m1", "completed")).as("done with m2").containsEntry("error", null);
        queue.expire();
        assertThat(queue.ack(lease, "m3", "completed").get("error")).isEqualTo("Invalid or expired lease");
        assertThat(queue.pop().ids()).containsExactly("m3");
    }

    @Test
    void redriven_failed_comesAgainUntilItsRetriesAreUsed() {
        queue.fail("m1");
        sql.run("update queen.partition_consumers set retry_count = 1 where partition_id = ?", queue.partition);
        queue.redrive();
        UUID lease = queue.pop().lease();
        assertThat(queue.ack(lease, "m1", "failed"))
                .containsEntry("error", null)
                .containsEntry("dlq", false)
                .containsEntry("lease_released", true)
                .containsEntry("pending", true);
        Popped second = queue.pop();
        assertThat(second.ids()).containsExactly("m1");
        assertThat(second.retryCount()).isEqualTo(1);
        assertThat(queue.ack(second.lease(), "m1", "failed"))
                .containsEntry("dlq", true)
                .containsEntry("lease_released", true);
        assertThat(queue.partitions.deadLetters(queue.partition, GROUP)).containsExactly("m1");
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.partitions.consumer(queue.partition, GROUP))
                .as("the batch after the cursor has a counter of its own")
                .containsEntry("retry_count", 1);
        assertThat(queue.pop().ids()).containsExactly("m2", "m3", "m4", "m5");
    }

    @Test
    void redriven_failedInTheMiddle_endsTheBatchThere() {
        queue.fail("m1", "m2", "m3");
        queue.redrive();
        UUID lease = queue.pop().lease();
        List<Map<String, Object>> results = new AckList(sql)
                .ack(queue.partition, GROUP, lease, "m3", "completed")
                .ack(queue.partition, GROUP, lease, "m2", "failed")
                .ack(queue.partition, GROUP, lease, "m1", "completed")
                .apply();
        assertThat(results).extracting("error").containsExactly("Invalid or expired lease", null, null);
        assertThat(queue.pop().ids()).containsExactly("m2", "m3");
    }

    @Test
    void redriven_failedWithDelay_waits() {
        sql.run("update queen.queues set retry_delay = 3600000 where name = ?", queue.queue);
        queue.fail("m1");
        queue.redrive();
        queue.ack(queue.pop().lease(), "m1", "failed");
        assertThat(queue.pop().ids()).as("nothing overtakes it").isEmpty();
    }

    @Test
    void redriven_windowOpen_doesNotWaitAgain() {
        queue.fail("m1");
        sql.run("update queen.queues set window_buffer = 3600, delayed_processing = 3600 where name = ?", queue.queue);
        queue.redrive();
        assertThat(sql.value("select due_ms[1] from queen.check_partitions_v1('g', array[?::uuid])", queue.partition))
                .isEqualTo(0L);
        Popped again = queue.pop();
        assertThat(again.ids()).containsExactly("m1");
        queue.ack(again.lease(), "m1", "completed");
        assertThat(queue.pop().ids()).isEmpty();
    }

    @Test
    void redriven_givenUpAtOnce_isADeadLetterAgain() {
        queue.fail("m1");
        queue.redrive();
        assertThat(queue.ack(queue.pop().lease(), "m1", "dlq")).containsEntry("dlq", true);
        assertThat(queue.partitions.deadLetters(queue.partition, GROUP)).containsExactly("m1");
        assertThat(queue.redrive()).isEqualTo(1);
        assertThat(queue.pop().ids()).containsExactly("m1");
    }

    @Test
    void redriven_leaseGivenBack_comesAgain() {
        queue.fail("m1");
        queue.redrive();
        UUID lease = queue.pop().lease();
        sql.run(
                "select queen.pop_sm_release(array[?::uuid], array['g'], array[?::uuid], array[null::bigint])",
                queue.partition,
                lease);
        Popped again = queue.pop();
        assertThat(again.ids()).containsExactly("m1");
        assertThat(queue.ack(lease, "m1", "completed").get("error")).isEqualTo("Invalid or expired lease");
        assertThat(sql.number(
                        "select count(*) from queen.renew_list_v1(array[?::uuid], array[3600]) where expires_at"
                                + " > now() + interval '59 min'",
                        again.lease()))
                .isEqualTo(1);
        assertThat(queue.ack(again.lease(), "m1", "completed")).containsEntry("error", null);
    }

    @Test
    void redriven_autoAcked_isDone() {
        queue.fail("m1", "m2");
        queue.redrive();
        assertThat(taken(1)).containsExactly("m1");
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(taken(10)).containsExactly("m2");
        assertThat(queue.partitions.cursor(queue.partition, GROUP)).isEqualTo(2);
        assertThat(taken(10)).containsExactly("m3", "m4", "m5");
        assertThat(queue.partitions.consumer(queue.partition, GROUP)).containsEntry("total_consumed", 5L);
    }

    @Test
    void redriven_largePayloads_endTheBatch() {
        queue.fail("m1", "m2", "m3");
        sql.run("update queen.messages set payload = '\"long\"' where partition_id = ?", queue.partition);
        queue.redrive();
        assertThat(sql.rows(
                        "select t.transaction_id from queen.pop_sm_take(array[1], array[?::uuid], array['g'], array[9],"
                                + " array[1], array[gen_random_uuid()], array[false], array[null::timestamptz], array['a'], false,"
                                + " 7) t"
                                + " where t.outcome is null order by t.seq",
                        queue.partition))
                .extracting("transaction_id")
                .containsExactly("m1", "m2");
        queue.expire();
        assertThat(queue.pop().ids()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void redriven_ackWithoutLease_endsOnlyIt() {
        queue.fail("m1", "m2");
        queue.redrive();
        assertThat(queue.ack(null, "m2", "failed")).containsEntry("error", null);
        assertThat(queue.waiting()).as("failed before it was delivered").containsExactly(2L, 2L);
        assertThat(queue.ack(null, "m2", "completed")).containsEntry("error", null);
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.pop().ids()).containsExactly("m1");
    }

    /** An ack that is sent again after the message failed for good must not take it from the redrive. */
    @Test
    void redriven_ackUnderTheLeaseItFailedUnder_changesNothing() {
        UUID lease = queue.pop().lease();
        queue.ack(lease, "m1", "dlq");
        queue.redrive();
        assertThat(queue.ack(lease, "m1", "completed")).containsEntry("error", null);
        assertThat(queue.waiting()).containsExactly(1L, 1L);
        assertThat(queue.pop().ids()).as("the group holds the rest").isEmpty();
        assertThat(queue.ack(lease, "m5", "completed")).containsEntry("pending", true);
        assertThat(queue.pop().ids()).containsExactly("m1");
    }

    @Test
    void redriven_sameAckSentAgain_isNoError() {
        queue.fail("m1");
        queue.redrive();
        UUID lease = queue.pop().lease();
        AckList acks = new AckList(sql).ack(queue.partition, GROUP, lease, "m1", "failed");
        acks.apply();
        assertThat(acks.apply(true)).extracting("error").containsExactly((Object) null);
        assertThat(queue.pop().retryCount()).isEqualTo(1);
    }

    @Test
    void redriven_ackInATransaction_needsItsLease() {
        queue.fail("m1");
        queue.redrive();
        UUID lease = queue.pop().lease();
        assertThatThrownBy(() -> transaction(UUID.randomUUID())).hasMessageContaining("Invalid or expired lease");
        transaction(lease);
        assertThat(queue.waiting()).containsExactly(0L, 0L);
        assertThat(queue.held()).isNull();
    }

    @Test
    void redrive_twice_findsItOnce() {
        queue.fail("m1");
        assertThat(queue.redrive()).isEqualTo(1);
        assertThat(queue.redrive()).isZero();
        assertThat(queue.waiting()).containsExactly(1L, 1L);
    }

    private List<Object> taken(int batch) {
        return sql
                .rows(
                        "select t.transaction_id from queen.pop_sm_take(array[1], array[?::uuid], array['g'], array[?],"
                                + " array[1], array[gen_random_uuid()], array[true], array[null::timestamptz], array['a'], false,"
                                + " 1000000) t where t.outcome is null order by t.seq",
                        queue.partition,
                        batch)
                .stream()
                .map(row -> row.get("transaction_id"))
                .toList();
    }

    private void transaction(UUID lease) {
        sql.run(
                "select queen.transaction_list_v1(null, null, null, null, null, null, null, null, null, null, null, null, null,"
                        + " array[?::uuid], array['m1'], array['g'], array[null::uuid], array['completed'],"
                        + " array[null::text], array[0], array[?::uuid], false)",
                queue.partition,
                lease);
    }
}
