package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Failures: what is delivered again, what becomes a dead letter. */
@AlsoOnInstalledPostgres
class AckRetryTest {
    private static final String GROUP = "g";
    private static final String LEASE_ERROR = "Invalid or expired lease";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);

    @Test
    void failed_limit3_isRedeliveredThreeTimesThenDead() {
        UUID partition = partitions.filled(3, 2);
        for (int delivery = 1; delivery <= 3; delivery++) {
            assertThat(deliver(partition, "m1:failed")).containsExactly("ok");
            assertState(partition, 0, delivery);
        }
        assertThat(deliver(partition, "m1:failed")).containsExactly("dead");
        assertState(partition, 1, 0);
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1");
    }

    @Test
    void failed_limit3SucceedsInBetween_startsAnew() {
        UUID partition = partitions.filled(3, 2);
        deliver(partition, "m1:failed");
        deliver(partition, "m1:failed");
        assertThat(deliver(partition, "m1:completed m2:completed")).containsExactly("ok", "ok");
        assertState(partition, 2, 0);
        assertThat(partitions.deadLetters(partition, GROUP)).isEmpty();
    }

    @Test
    void failed_limit1SecondTime_isDeadWithTheErrorText() {
        UUID partition = partitions.filled(1, 1);
        deliver(partition, "m1:failed");
        assertThat(deliver(partition, "m1:failed")).containsExactly("dead");
        Map<String, Object> dead = sql.row("select * from queen.dead_letters where partition_id = ?", partition);
        assertThat(dead).containsEntry("error_message", "told").containsEntry("retry_count", 1);
        assertThat(dead).containsEntry("consumer_group", GROUP).containsEntry("seq", 1L);
    }

    @Test
    void failed_limit0_isDeadAtOnceAndTheBatchGoesOn() {
        UUID partition = partitions.filled(0, 4);
        assertThat(deliver(partition, "m1:failed m2:completed m3:failed m4:completed"))
                .containsExactly("dead", "ok", "dead", "ok");
        assertState(partition, 4, 0);
        assertThat(held(partition)).isNull();
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1", "m3");
    }

    @Test
    void failed_inTheMiddle_endsTheBatchThere() {
        UUID partition = partitions.filled(3, 4);
        assertThat(deliver(partition, "m4:completed m3:completed m2:failed m1:completed"))
                .containsExactly(LEASE_ERROR, LEASE_ERROR, "ok", "ok");
        assertState(partition, 1, 1);
        assertThat(held(partition)).isNull();
    }

    @Test
    void failed_several_countOnce() {
        UUID partition = partitions.filled(3, 3);
        assertThat(deliver(partition, "m1:failed m2:failed m3:failed")).containsExactly("ok", LEASE_ERROR, LEASE_ERROR);
        assertState(partition, 0, 1);
    }

    @Test
    void failed_severalWithTheCounterUsedUp_firstIsDeadSecondIsRedelivered() {
        UUID partition = partitions.filled(1, 3);
        deliver(partition, "m1:failed");
        assertThat(deliver(partition, "m1:failed m2:failed m3:completed")).containsExactly("dead", "ok", LEASE_ERROR);
        assertState(partition, 1, 1);
        assertThat(deliver(partition, "m2:failed")).containsExactly("dead");
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1", "m2");
    }

    @Test
    void failed_afterADeadLetterInTheSameList_findsTheCounterReset() {
        UUID partition = partitions.filled(1, 3);
        deliver(partition, "m1:failed");
        assertThat(deliver(partition, "m1:dlq m2:failed m3:completed")).containsExactly("dead", "ok", LEASE_ERROR);
        assertState(partition, 1, 1);
    }

    @Test
    void failed_afterItsLeaseEnded_isALeaseErrorAndCountsNothing() {
        UUID partition = partitions.filled(3, 2);
        UUID lease = partitions.lease(partition, GROUP, 2);
        apply(partition, lease, "m1:failed");
        assertThat(apply(partition, lease, "m2:failed")).containsExactly(LEASE_ERROR);
        assertState(partition, 0, 1);
    }

    @Test
    void failed_withoutLeaseIdOnceReleased_countsOnce() {
        UUID partition = partitions.filled(3, 2);
        partitions.lease(partition, GROUP, 2);
        apply(partition, null, "m1:failed");
        assertThat(apply(partition, null, "m2:failed")).containsExactly("ok");
        assertState(partition, 0, 1);
    }

    @Test
    void dlq_inTheMiddle_goesOn() {
        UUID partition = partitions.filled(3, 3);
        assertThat(deliver(partition, "m1:completed m2:dlq m3:completed")).containsExactly("ok", "dead", "ok");
        assertState(partition, 3, 0);
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m2");
    }

    @Test
    void dlq_lastDelivered_endsTheLease() {
        UUID partition = partitions.filled(3, 1);
        assertThat(deliver(partition, "m1:dlq")).containsExactly("dead");
        assertThat(held(partition)).isNull();
    }

    @Test
    void dlq_ofOneGroup_leavesOthersAlone() {
        UUID partition = partitions.filled(3, 1);
        deliver(partition, "m1:dlq");
        assertThat(partitions.deadLetters(partition, "other")).isEmpty();
        assertThat(sql.number("select count(*) from queen.messages where partition_id = ?", partition))
                .isEqualTo(1);
    }

    @Test
    void deadLetter_twiceAfterASeekBack_isOneRow() {
        UUID partition = partitions.filled(0, 1);
        deliver(partition, "m1:failed");
        sql.run("update queen.partition_consumers set cursor = 0 where partition_id = ?", partition);
        assertThat(deliver(partition, "m1:failed")).containsExactly("dead");
        assertState(partition, 1, 0);
        assertThat(partitions.deadLetters(partition, GROUP)).containsExactly("m1");
    }

    /** Delivers all after the cursor under a new lease, then acks. */
    private List<String> deliver(UUID partition, String acks) {
        long head = sql.number("select head from queen.partitions where id = ?", partition);
        return apply(partition, partitions.lease(partition, GROUP, head), acks);
    }

    /** Of acks written {@code m1:failed m2:completed}: for each "ok", "dead", or its error. */
    private List<String> apply(UUID partition, UUID lease, String acks) {
        AckList list = new AckList(sql);
        for (String ack : acks.split(" ", -1)) {
            String[] parts = ack.split(":", 2);
            list.ack(partition, GROUP, lease, parts[0], parts[1]);
        }
        List<String> outcomes = new ArrayList<>();
        for (Map<String, Object> result : list.apply()) {
            String applied = (boolean) result.get("dlq") ? "dead" : "ok";
            outcomes.add(result.get("error") == null ? applied : (String) result.get("error"));
        }
        return outcomes;
    }

    private void assertState(UUID partition, long cursor, int retries) {
        assertThat(partitions.consumer(partition, GROUP))
                .containsEntry("cursor", cursor)
                .containsEntry("retry_count", retries);
    }

    private Object held(UUID partition) {
        return partitions.consumer(partition, GROUP).get("lease_id");
    }
}
