package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a database of its own: a server would trim, too. */
class TrimPushLogTest {
    private static final String GROUP = "g";
    private static TestPostgres postgres;

    @AutoClose
    private final Sql sql = Sql.open(postgres);

    private final Partitions partitions = new Partitions(sql);
    private final UUID first = partitions.filled(3, 1);
    private final UUID second = partitions.filled(3, 1);
    private final UUID lease = partitions.lease(first, GROUP, 1);

    @BeforeAll
    static void create() {
        postgres = TestPostgres.shared().ownDatabase("trim");
    }

    @Test
    void trim_rowBeforeTheMark_isRemovedAndLaterOnesStay() {
        String mark = trim(null);
        partitions.filled(3, 1);
        trim(mark);
        assertThat(sql.number("select count(*) from queen.push_log")).isOne();
    }

    @Test
    void trim_sharedLeaseThatEnded_isForgottenAfterAMinute() {
        share("61 seconds");
        new AckList(sql).ack(first, GROUP, lease, "m1", "completed").apply();
        trim(trim(null));
        assertThat(shared()).isZero();
    }

    @Test
    void trim_sharedLeaseThatIsHeld_isKept() {
        share("2 days");
        trim(trim(null));
        assertThat(shared()).isOne();
    }

    /** A pop may have been sent again: its first sending may still commit. */
    @Test
    void trim_sharedLeaseThatIsYoung_isKept() {
        share("50 seconds");
        new AckList(sql).ack(first, GROUP, lease, "m1", "completed").apply();
        trim(trim(null));
        assertThat(shared()).isOne();
    }

    private String trim(String before) {
        return sql.text("select mark from queen.trim_push_log_v1(?)", before);
    }

    private void share(String age) {
        sql.run(
                "insert into queen.shared_leases (lease_id, consumer_group, partition_ids, created_at)"
                        + " values (?, ?, array[?, ?]::uuid[], now() - ?::interval)",
                lease,
                GROUP,
                first,
                second,
                age);
    }

    private long shared() {
        return sql.number("select count(*) from queen.shared_leases where lease_id = ?", lease);
    }
}
