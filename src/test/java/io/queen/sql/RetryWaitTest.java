package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a failed batch waits: read from {@code retry_at}, in minutes, so that a slow test reads the same. */
@AlsoOnInstalledPostgres
class RetryWaitTest {
    private static final String GROUP = "g";
    private static final int MINUTE = 60_000;

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            delay      | backoff     | most       | failures   | waits
            0          | fixed       | 3600000    | 1          | 0
            1000       | fixed       | 3600000    | 1          | 1000
            1000       | fixed       | 3600000    | 9          | 1000
            7200000    | fixed       | 3600000    | 1          | 7200000
            2147483647 | fixed       | 0          | 1          | 2147483647
            1000       | exponential | 3600000    | 0          | 1000
            1000       | exponential | 3600000    | 1          | 1000
            1000       | exponential | 3600000    | 2          | 2000
            1000       | exponential | 3600000    | 3          | 4000
            1000       | exponential | 3600000    | 12         | 2048000
            1000       | exponential | 3600000    | 13         | 3600000
            1000       | exponential | 5000       | 4          | 5000
            1          | exponential | 2147483647 | 31         | 1073741824
            1          | exponential | 2147483647 | 32         | 1073741824
            2147483647 | exponential | 2147483647 | 2147483647 | 2147483647
            0          | exponential | 3600000    | 5          | 0
            """)
    void wait_afterFailures_isThatOfTheTable(int delay, String backoff, int most, int failures, int waits) {
        assertThat(sql.number("select queen.retry_wait_v1(?, ?, ?, 0, ?)", delay, backoff, most, failures))
                .isEqualTo(waits);
    }

    /** Of 10,000, some are in the lowest and the highest tenth but for one chance in 10^450. */
    @ParameterizedTest
    @CsvSource({"20, 8000", "100, 0", "1, 9900"})
    void wait_withJitter_isSpreadBelowIt(int jitter, int least) {
        Map<String, Object> waits = sql.row(
                "select min(w) as least, max(w) as most from (select queen.retry_wait_v1(1000, 'exponential', 10000, ?, 9)"
                        + " as w from generate_series(1, 10000)) x",
                jitter);
        int tenth = (10_000 - least) / 10;
        assertThat((Integer) waits.get("least")).isBetween(least, least + tenth);
        assertThat((Integer) waits.get("most")).isBetween(10_000 - tenth, 10_000);
    }

    @Test
    void failed_again_waitsTwiceAsLongUpToTheMost() {
        UUID partition = growing(10, 2);
        assertThat(failed(partition, "m1")).isEqualTo(1);
        assertThat(failed(partition, "m1")).isEqualTo(2);
        assertThat(failed(partition, "m1")).isEqualTo(4);
        assertThat(failed(partition, "m1")).isEqualTo(7);
        assertThat(failed(partition, "m1")).isEqualTo(7);
    }

    @Test
    void failed_fixed_waitsTheSame() {
        UUID partition = growing(10, 1);
        sql.run("update queen.queues set retry_backoff = 'fixed' where id = " + queueOf(), partition);
        assertThat(failed(partition, "m1")).isEqualTo(1);
        assertThat(failed(partition, "m1")).isEqualTo(1);
    }

    @Test
    void failed_afterSuccess_startsAnew() {
        UUID partition = growing(10, 3);
        failed(partition, "m1");
        failed(partition, "m1");
        UUID lease = partitions.lease(partition, GROUP, 2);
        new AckList(sql)
                .ack(partition, GROUP, lease, "m1", "completed")
                .ack(partition, GROUP, lease, "m2", "completed")
                .apply();
        assertThat(failed(partition, "m3")).isEqualTo(1);
    }

    @Test
    void failed_behindADeadLetterOfTheSameBatch_startsAnew() {
        UUID partition = growing(2, 3);
        failed(partition, "m1");
        assertThat(failed(partition, "m1")).isEqualTo(2);
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThat(waitOf(
                        partition,
                        new AckList(sql)
                                .ack(partition, GROUP, lease, "m1", "failed")
                                .ack(partition, GROUP, lease, "m2", "failed")))
                .isEqualTo(1);
    }

    @Test
    void failed_severalOfABatch_growOnce() {
        UUID partition = growing(10, 3);
        UUID lease = partitions.lease(partition, GROUP, 3);
        assertThat(waitOf(
                        partition,
                        new AckList(sql)
                                .ack(partition, GROUP, lease, "m1", "completed")
                                .ack(partition, GROUP, lease, "m2", "failed")
                                .ack(partition, GROUP, lease, "m3", "failed")))
                .isEqualTo(1);
        assertThat(failed(partition, "m2")).isEqualTo(2);
    }

    @Test
    void failed_toldTwiceWithoutLease_waitsAsOnce() {
        UUID partition = growing(10, 2);
        failed(partition, "m1");
        assertThat(failed(partition, "m1")).isEqualTo(2);
        assertThat(waitOf(partition, new AckList(sql).ack(partition, GROUP, null, "m1", "failed")))
                .isEqualTo(2);
    }

    @Test
    void leaseExpired_countsNothing() {
        UUID partition = growing(10, 1);
        partitions.lease(partition, GROUP, 1, -1);
        assertThat(failed(partition, "m1")).isEqualTo(1);
    }

    @Test
    void redriven_failed_waitsByItsOwnCount() {
        Redrives queue = new Redrives(sql, 3);
        grow(queue.partition, 9);
        queue.fail("m1");
        sql.run("update queen.partition_consumers set retry_count = 5 where partition_id = ?", queue.partition);
        queue.redrive();
        for (int waits : new int[] {1, 2, 4}) {
            UUID lease = queue.pop().lease();
            assertThat(waitOf(queue.partition, new AckList(sql).ack(queue.partition, GROUP, lease, "m1", "failed")))
                    .isEqualTo(waits);
            sql.run("update queen.partition_consumers set retry_at = null where partition_id = ?", queue.partition);
        }
        queue.ack(queue.pop().lease(), "m1", "completed");
        UUID lease = queue.pop().lease();
        assertThat(waitOf(queue.partition, new AckList(sql).ack(queue.partition, GROUP, lease, "m2", "failed")))
                .as("the sixth failure of the batch after the cursor")
                .isEqualTo(7);
    }

    /** A partition of a queue that waits 1, 2, 4, and then 7 minutes. */
    private UUID growing(int limit, int messages) {
        UUID partition = partitions.filled(limit, messages);
        grow(partition, limit);
        return partition;
    }

    private void grow(UUID partition, int limit) {
        sql.run(
                "update queen.queues set retry_limit = ?, retry_delay = ?, retry_delay_max = ?, retry_backoff ="
                        + " 'exponential' where id = " + queueOf(),
                limit,
                MINUTE,
                7 * MINUTE,
                partition);
    }

    private static String queueOf() {
        return "(select queue_id from queen.partitions where id = ?)";
    }

    /** Delivers all after the cursor, fails the message, and gives the minutes that it waits. */
    private long failed(UUID partition, String message) {
        long head = sql.number("select head from queen.partitions where id = ?", partition);
        UUID lease = partitions.lease(partition, GROUP, head);
        return waitOf(partition, new AckList(sql).ack(partition, GROUP, lease, message, "failed"));
    }

    private long waitOf(UUID partition, AckList acks) {
        acks.apply();
        return sql.number(
                "select ceil(extract(epoch from retry_at - clock_timestamp()) / 60)::bigint"
                        + " from queen.partition_consumers where partition_id = ?",
                partition);
    }
}
