package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A transaction that is sent a second time because the connection died during the first. */
class TransactionAgainTest {
    private static final String GROUP = "g";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);
    private final UUID out = (UUID)
            sql.value("select (queen.resolve_partitions_v1(array[?], array['Default']))[1]", Partitions.name("out"));

    @Test
    void again_notAppliedAndConsumedByAnother_undoesThePush() {
        UUID lost = partitions.lease(partition, GROUP, 1, -5);
        consumedByAnother();
        assertThatThrownBy(() -> again(lost, new UUID[] {out}))
                .isInstanceOfSatisfying(
                        Sql.SqlFailure.class,
                        failure -> assertThat(failure.state()).isEqualTo("QU003"))
                .hasMessageContaining("Invalid or expired lease");
        assertThat(sql.number("select count(*) from queen.messages where partition_id = ?", out))
                .isZero();
    }

    @Test
    void again_acksOnlyAndConsumed_isNoError() {
        UUID ended = partitions.lease(partition, GROUP, 1, -5);
        consumedByAnother();
        again(ended, new UUID[0]);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
    }

    private void consumedByAnother() {
        UUID live = partitions.lease(partition, GROUP, 1);
        sql.run(
                "select * from queen.ack_list_v1(array[?], array['m1'], array[?], array[?], array['completed'],"
                        + " array[null::text])",
                partition,
                GROUP,
                live);
    }

    private void again(UUID lease, UUID[] lanes) {
        sql.run(
                "select * from queen.transaction_list_v1(?::uuid[], array[1], array[1], array[1], array['a'],"
                        + " array[gen_random_uuid()], array['1'], null, null, null, null, null, array[0], array[?], array['m1'],"
                        + " array[?], array[?], array['completed'], array[null::text], array[1], '{}', true)",
                lanes,
                partition,
                GROUP,
                lease);
    }
}
