package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sql.PopSql.Wish;
import io.queen.testing.AlsoOnInstalledPostgres;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class PopSmFunctionsTest {
    @AutoClose
    private final PopSql sql = new PopSql();

    private Object seqBefore(UUID partition, String ago) throws SQLException {
        return sql.one("select queen.seq_before(?, now() - ?::interval)", partition, ago);
    }

    @Test
    void seqBefore_anyTime_isTheLastOlderMessage() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 9);
        for (int seq = 1; seq <= 9; seq++) {
            sql.date(partition, seq, (10 - seq) * 10 + " min");
        }
        for (int seq = 0; seq <= 9; seq++) {
            assertThat(seqBefore(partition, (10 - seq) * 10 - 5 + " min")).isEqualTo((long) seq);
        }
    }

    @Test
    void seqBefore_gaps_areSteppedOver() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 20);
        for (int seq = 1; seq <= 20; seq++) {
            sql.date(partition, seq, (21 - seq) * 10 + " min");
        }
        sql.delete(partition, 2, 6);
        sql.delete(partition, 9, 17);
        assertThat((Long) seqBefore(partition, "205 min")).isZero();
        assertThat((Long) seqBefore(partition, "195 min")).isBetween(1L, 6L);
        assertThat((Long) seqBefore(partition, "135 min")).isEqualTo(7L);
        assertThat((Long) seqBefore(partition, "125 min")).isBetween(8L, 17L);
        assertThat((Long) seqBefore(partition, "25 min")).isEqualTo(18L);
        assertThat((Long) seqBefore(partition, "5 min")).isEqualTo(20L);
    }

    @Test
    void seqBefore_exactTime_takesTheMessageItself() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 3);
        sql.date(partition, 1, "3 h");
        sql.date(partition, 2, "2 h");
        assertThat(sql.one(
                        "select queen.seq_before(partition_id, created_at) from queen.messages where partition_id = ? and seq = 2",
                        partition))
                .isEqualTo(1L);
    }

    @Test
    void seqBefore_unknownOrEmptyPartition_isZero() throws SQLException {
        assertThat(seqBefore(UUID.randomUUID(), "1 s")).isEqualTo(0L);
    }

    @Test
    void fetch_severalClaims_areReadOneAfterTheOtherInOrder() throws SQLException {
        String queue = sql.queue("");
        UUID a = sql.push(queue, "a", 5);
        UUID b = sql.push(queue, "b", 5);
        assertThat(sql.column(
                        "select claim || ':' || seq || ':' || payload from queen.pop_sm_fetch(array[?::uuid, ?::uuid], array[1, 0], array[3, 2])",
                        b,
                        a))
                .containsExactly("1:2:2", "1:3:3", "2:1:1", "2:2:2");
    }

    @Test
    void release_owner_freesThePartition() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 2);
        UUID lease = sql.lease(Wish.of(1, partition)).leaseId();
        assertThat(sql.release(partition, lease, null)).isTrue();
        assertThat(sql.cursor(partition, "g")).isZero();
        assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("claimed");
    }

    @Test
    void release_anotherLease_changesNothing() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 2);
        sql.lease(Wish.of(1, partition));
        assertThat(sql.release(partition, UUID.randomUUID(), 1L)).isFalse();
        assertThat(sql.cursor(partition, "g")).isZero();
        assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("leased");
    }

    @Test
    void release_everythingRemoved_movesTheCursorToTheHead() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 9);
        sql.delete(partition, 1, 9);
        UUID lease = sql.lease(Wish.of(2, partition)).leaseId();
        assertThat(sql.release(partition, lease, 2L)).isTrue();
        assertThat(sql.cursor(partition, "g")).isEqualTo(9);
        assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("empty");
    }

    @Test
    void release_beginningRemoved_movesTheCursorToTheNextMessage() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 9);
        sql.delete(partition, 1, 6);
        UUID lease = sql.lease(Wish.of(2, partition)).leaseId();
        sql.release(partition, lease, 2L);
        assertThat(sql.cursor(partition, "g")).isEqualTo(6);
    }

    private Object pending(String queue, String partition) throws SQLException {
        return sql.one("select queen.has_pending_messages(?, ?, 'g')", queue, partition);
    }

    @Test
    void hasPending_anyState_saysWhetherAPopWouldFindSomething() throws SQLException {
        String queue = sql.queue("");
        assertThat(pending(queue, null)).isEqualTo(false);
        UUID partition = sql.push(queue, "p", 1);
        assertThat(pending(queue, null)).isEqualTo(true);
        assertThat(pending(queue, "*")).isEqualTo(true);
        assertThat(pending(queue, "p")).isEqualTo(true);
        assertThat(pending(queue, "other")).isEqualTo(false);
        sql.lease(Wish.of(1, partition));
        assertThat(pending(queue, "p")).isEqualTo(false);
        sql.expireLease(partition);
        assertThat(pending(queue, null)).isEqualTo(true);
        sql.lease(Wish.of(1, partition).autoAcked());
        assertThat(pending(queue, null)).isEqualTo(false);
    }

    @Test
    void resolve_severalFree_givesTheLeastRecentlyServedFirst() throws SQLException {
        String queue = sql.queue("");
        UUID a = sql.push(queue, "a", 3);
        UUID b = sql.push(queue, "b", 3);
        UUID c = sql.push(queue, "c", 3);
        sql.lease(Wish.of(1, b).autoAcked());
        sql.lease(Wish.of(1, a).autoAcked());
        assertThat(sql.column("select partition_id from queen.pop_sm_resolve(?, 'g', 9)", queue))
                .containsExactly(c, b, a);
        sql.lease(Wish.of(1, c));
        assertThat(sql.column("select partition_id from queen.pop_sm_resolve(?, 'g')", queue))
                .containsExactly(b);
    }
}
