package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a transaction that is taken back: the function sees the subscriptions of all other tests too. */
@AlsoOnInstalledPostgres
class RemoveIdleSubscriptionsTest {
    private final Sql sql = Sql.openMigrated();
    private final String queue = Partitions.name("early");

    @BeforeEach
    void begin() {
        sql.begin().run("delete from queen.subscriptions");
    }

    @AfterEach
    void close() {
        sql.run("rollback");
        sql.close();
    }

    private void subscribe(String group, String partition, int hoursAgo) {
        sql.run("select queen.pop_sm_subscribe(?, ?, ?, 'new', null)", queue, group, partition);
        sql.run(
                "update queen.subscriptions set asked_at = now() - make_interval(hours => ?) where consumer_group = ?",
                hoursAgo,
                group);
    }

    private long removed(int keep, int limit) {
        return sql.number("select queen.remove_idle_subscriptions_v1(24, ?, ?)", keep, limit);
    }

    private String left() {
        return sql.text("select string_agg(consumer_group, ',' order by consumer_group) from queen.subscriptions");
    }

    @Test
    void unknownQueue_notAskedForLong_goes() {
        subscribe("idle", "", 25);
        subscribe("asked", "", 23);
        assertThat(removed(10, 100)).isEqualTo(1);
        assertThat(left()).isEqualTo("asked");
    }

    @Test
    void unknownPartition_notAskedForLong_goes() {
        new Partitions(sql).push(queue, "known", 1);
        subscribe("idle", "unknown", 25);
        subscribe("known", "known", 25);
        subscribe("whole", "", 25);
        assertThat(removed(0, 100)).isEqualTo(1);
        assertThat(left()).isEqualTo("known,whole");
    }

    @Test
    void unknownQueues_tooMany_theLongestNotAskedForGo() {
        for (int i = 1; i <= 5; i++) {
            subscribe("g" + i, "", i);
        }
        assertThat(removed(2, 2)).isEqualTo(2);
        assertThat(left()).isEqualTo("g1,g2,g3");
        assertThat(removed(2, 2)).isEqualTo(1);
        assertThat(left()).isEqualTo("g1,g2");
    }

    @Test
    void subscribe_again_countsAsAskedFor() {
        subscribe("g", "", 25);
        assertThat(sql.value("select queen.pop_sm_subscribe(?, 'g', '', 'new', null)", queue))
                .isEqualTo(false);
        assertThat(removed(10, 100)).isZero();
    }

    @Test
    void subscribe_unknownQueue_isTold() {
        assertThat(sql.value("select queen.pop_sm_subscribe(?, 'g', '', 'new', null)", queue))
                .isEqualTo(true);
        new Partitions(sql).push(queue, "p", 1);
        assertThat(sql.value("select queen.pop_sm_subscribe(?, 'h', '', 'new', null)", queue))
                .isEqualTo(false);
    }
}
