package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class RemoveIdlePartitionsTest {
    @AutoClose
    private final RetentionSql db = new RetentionSql();

    /** Partitions of the test's queue that were removed; other tests have none that are idle. */
    private long removed() {
        return db.sql.number(
                "select coalesce(sum(removed) filter (where queue_name = ?), 0) from queen.remove_idle_partitions_v1(30, 100)",
                db.queue);
    }

    /** A partition whose only message was removed, after so many days. */
    private UUID emptied(String name, int days) {
        UUID id = db.partitions.push(db.queue, name, 1);
        db.sql.run("delete from queen.messages where partition_id = ?", id);
        db.sql.run(
                "update queen.partitions set removed = head, tail = head, created_at = now() - interval '1 year',"
                        + " last_push_at = now() - make_interval(days => ?) where id = ?",
                days,
                id);
        return id;
    }

    @Test
    void partition_emptyAndIdle_goesWithItsCursors() {
        UUID id = emptied("p", 31);
        db.group(id, "g", 1);
        assertThat(removed()).isEqualTo(1);
        assertThat(db.sql.rows("select from queen.partitions where id = ?", id)).isEmpty();
        assertThat(db.sql.rows("select from queen.partition_consumers where partition_id = ?", id))
                .isEmpty();
    }

    @Test
    void partition_usedLately_stays() {
        emptied("p", 29);
        assertThat(removed()).isZero();
    }

    @Test
    void partition_withMessages_stays() {
        UUID id = db.partitions.push(db.queue, "p", 1);
        db.sql.run("update queen.partitions set last_push_at = now() - interval '1 year' where id = ?", id);
        assertThat(removed()).isZero();
        db.sql.run("update queen.partitions set removed = head where id = ?", id);
        assertThat(removed()).as("a wrong counter loses no message").isZero();
    }

    @Test
    void partition_default_stays() {
        emptied("Default", 31);
        assertThat(removed()).isZero();
    }

    @Test
    void partition_leased_stays() {
        db.partitions.lease(emptied("p", 31), "g", 1);
        assertThat(removed()).isZero();
    }

    @Test
    void partition_neverPushedTo_goesByItsAge() {
        UUID id = emptied("p", 31);
        db.sql.run("update queen.partitions set last_push_at = null, head = 0, removed = 0 where id = ?", id);
        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void partition_heldBySomebody_isPassedOver() {
        UUID id = emptied("p", 31);
        try (Sql other = RetentionSql.another().begin()) {
            other.run("select from queen.partitions where id = ? for key share", id);
            assertThat(removed()).isZero();
            other.commit();
        }
        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void groupOfModeNew_partitionMadeAnew_skipsNothing() throws Exception {
        UUID old = emptied("p", 31);
        db.group(old, "g", 1);
        db.sql.run("select queen.pop_sm_subscribe(?, 'g', '', 'new', now() - interval '40 days')", db.queue);
        assertThat(removed()).isEqualTo(1);
        UUID anew = db.partitions.push(db.queue, "p", 2);
        assertThat(anew).isNotEqualTo(old);
        Map<String, Object> lease = db.sql.row(
                "select outcome, first_seq, last_seq from queen.pop_sm_lease(array[1], array[?::uuid], array['g'], array[9],"
                        + " array[1], array[gen_random_uuid()], array[false], array[now()])",
                anew);
        assertThat(lease).isEqualTo(Map.of("outcome", "claimed", "first_seq", 0L, "last_seq", 2L));
    }

    @Test
    void prune_oldFigures_goInPortions() {
        db.sql.run("delete from queen.metric_buckets");
        for (int days : new int[] {1, 89, 91, 92, 93}) {
            db.sql.run(
                    "insert into queen.metric_buckets (bucket, server_id, metrics) values (now() - make_interval(days => ?), 's', '{}')",
                    days);
        }
        assertThat(db.sql.number("select queen.prune_metrics_v1(90, 2)")).isEqualTo(2);
        assertThat(db.sql.number("select queen.prune_metrics_v1(90, 2)")).isEqualTo(1);
        assertThat(db.sql.number("select count(*) from queen.metric_buckets")).isEqualTo(2);
    }

    @Test
    void prune_oldHistory_goes() {
        db.sql.run(
                "insert into queen.retention_history values (now() - interval '91 days', ?, 'retention', 1)", db.queue);
        db.sql.run(
                "insert into queen.retention_history values (now() - interval '89 days', ?, 'retention', 1)", db.queue);
        db.sql.run("select queen.prune_metrics_v1(90, 1000)");
        assertThat(db.sql.number("select count(*) from queen.retention_history where queue_name = ?", db.queue))
                .isEqualTo(1);
    }
}
