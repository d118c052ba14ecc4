package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class RenewListTest {
    private static final String GROUP = "g";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);

    @Test
    void renew_live_livesThatLongFromNow() {
        UUID partition = partitions.filled(3, 1);
        UUID lease = partitions.lease(partition, GROUP, 1, 10);
        assertThat(renew(lease, 100)).containsEntry("known", true);
        assertThat(secondsLeft(partition)).isBetween(90L, 100L);
    }

    @Test
    void renew_lessThanIsLeft_neverShortens() {
        UUID partition = partitions.filled(3, 1);
        UUID lease = partitions.lease(partition, GROUP, 1, 1000);
        assertThat(renew(lease, 1).get("expires_at")).isNotNull();
        assertThat(secondsLeft(partition)).isGreaterThan(900);
    }

    @Test
    void renew_expired_isKnownAndNotRevived() {
        UUID partition = partitions.filled(3, 1);
        UUID lease = partitions.lease(partition, GROUP, 1, -5);
        assertThat(renew(lease, 100)).containsEntry("known", true).containsEntry("expires_at", null);
        assertThat(secondsLeft(partition)).isNegative();
    }

    @Test
    void renew_unknown_isNotKnown() {
        assertThat(renew(UUID.randomUUID(), 100)).containsEntry("known", false).containsEntry("expires_at", null);
    }

    @Test
    void renew_released_isNotKnown() {
        UUID partition = partitions.filled(3, 1);
        UUID lease = partitions.lease(partition, GROUP, 1);
        new AckList(sql).ack(partition, GROUP, lease, "m1", "completed").apply();
        assertThat(renew(lease, 100)).containsEntry("known", false);
    }

    @Test
    void renew_sharedLease_extendsAllAndTellsTheEarliest() {
        UUID first = partitions.filled(3, 1);
        UUID second = partitions.filled(3, 1);
        UUID lease = partitions.lease(first, GROUP, 1, 1000);
        partitions.hold(second, GROUP, lease, 1, 10);
        sql.run(
                "insert into queen.shared_leases (lease_id, consumer_group, partition_ids)"
                        + " values (?, 'g', array[?, ?]::uuid[])",
                lease,
                first,
                second);
        assertThat(renew(lease, 100).get("expires_at"))
                .isEqualTo(partitions.consumer(second, GROUP).get("lease_expires_at"));
        assertThat(secondsLeft(first)).isGreaterThan(900);
        assertThat(secondsLeft(second)).isBetween(90L, 100L);
    }

    @Test
    void renew_sharedLeaseOneExpired_extendsTheOther() {
        UUID first = partitions.filled(3, 1);
        UUID second = partitions.filled(3, 1);
        UUID lease = partitions.lease(first, GROUP, 1, -5);
        partitions.hold(second, GROUP, lease, 1, 10);
        sql.run(
                "insert into queen.shared_leases (lease_id, consumer_group, partition_ids)"
                        + " values (?, 'g', array[?, ?]::uuid[])",
                lease,
                first,
                second);
        assertThat(renew(lease, 100).get("expires_at")).isNotNull();
        assertThat(secondsLeft(first)).isNegative();
        assertThat(secondsLeft(second)).isBetween(90L, 100L);
    }

    @Test
    void renew_severalInOneList_areAnsweredInOrder() {
        UUID partition = partitions.filled(3, 1);
        UUID lease = partitions.lease(partition, GROUP, 1, 10);
        List<Map<String, Object>> rows = sql.rows(
                "select * from queen.renew_list_v1(array[?, ?, ?]::uuid[], array[5, 200, 100])",
                UUID.randomUUID(),
                lease,
                lease);
        assertThat(rows).extracting(row -> row.get("known")).containsExactly(false, true, true);
        assertThat(secondsLeft(partition)).isBetween(190L, 200L);
    }

    private Map<String, Object> renew(UUID lease, int seconds) {
        return sql.row("select * from queen.renew_list_v1(array[?]::uuid[], array[?])", lease, seconds);
    }

    private long secondsLeft(UUID partition) {
        return sql.number(
                "select round(extract(epoch from lease_expires_at - clock_timestamp())) from queen.partition_consumers"
                        + " where partition_id = ?",
                partition);
    }
}
