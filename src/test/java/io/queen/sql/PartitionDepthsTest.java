package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PartitionDepthsTest {
    private static final String QUEUE_MODE = "__QUEUE_MODE__";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);

    @Test
    void depth_noGroup_isAllPending() {
        assertDepth(partitions.filled(3, 5), 5, 5, 0);
    }

    @Test
    void depth_groups_countsTheSlowest() {
        UUID partition = partitions.filled(3, 10);
        cursor(partition, "fast", 9);
        cursor(partition, "slow", 4);
        assertDepth(partition, 10, 6, 0);
    }

    @Test
    void depth_queueMode_countsAlone() {
        UUID partition = partitions.filled(3, 10);
        cursor(partition, "slow", 0);
        cursor(partition, QUEUE_MODE, 7);
        assertDepth(partition, 10, 3, 0);
    }

    @Test
    void depth_liveLease_isProcessing() {
        UUID partition = partitions.filled(3, 10);
        cursor(partition, QUEUE_MODE, 2);
        partitions.lease(partition, QUEUE_MODE, 5);
        assertDepth(partition, 10, 5, 3);
        partitions.lease(partition, QUEUE_MODE, 5, -1);
        assertDepth(partition, 10, 8, 0);
    }

    @Test
    void depth_leasesOfGroups_countsTheLargest() {
        UUID partition = partitions.filled(3, 10);
        cursor(partition, "fast", 8);
        cursor(partition, "slow", 2);
        partitions.lease(partition, "fast", 9);
        partitions.lease(partition, "slow", 6);
        assertDepth(partition, 10, 4, 4);
    }

    @Test
    void depth_singleMessagesDeleted_isStillExact() {
        UUID partition = partitions.filled(3, 10);
        cursor(partition, QUEUE_MODE, 4);
        delete(partition, "m2", "m6", "m9");
        assertDepth(partition, 7, 4, 0);
        partitions.lease(partition, QUEUE_MODE, 7);
        assertDepth(partition, 7, 2, 2);
    }

    @Test
    void depth_firstMessagesDeleted_movesTheTail() {
        UUID partition = partitions.filled(3, 5);
        delete(partition, "m2", "m1");
        assertThat(sql.number("select tail from queen.partitions where id = ?", partition))
                .isEqualTo(2);
        assertDepth(partition, 3, 3, 0);
        delete(partition, "m3", "m4", "m5");
        assertThat(sql.number("select tail from queen.partitions where id = ?", partition))
                .isEqualTo(5);
        assertDepth(partition, 0, 0, 0);
    }

    private void delete(UUID partition, String... transactions) {
        for (String transaction : transactions) {
            assertThat(sql.value("select queen.delete_message_v1(?, ?)", partition, transaction))
                    .isEqualTo(true);
        }
    }

    private void cursor(UUID partition, String group, long cursor) {
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor) values (?, ?, ?)",
                partition,
                group,
                cursor);
    }

    private void assertDepth(UUID partition, long total, long pending, long processing) {
        Map<String, Object> depth = sql.row(
                "select d.total, d.pending, d.processing, d.estimated from queen.partitions p,"
                        + " queen.partition_depths_v1(array[p.queue_id], array[p.id]) d where p.id = ?",
                partition);
        assertThat(depth)
                .isEqualTo(Map.of("total", total, "pending", pending, "processing", processing, "estimated", false));
    }
}
