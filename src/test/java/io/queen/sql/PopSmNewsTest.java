package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sql.PopSql.Wish;
import io.queen.testing.AlsoOnInstalledPostgres;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class PopSmNewsTest {
    private PopSql sql;

    private record Look(List<Object> ids, List<Object> dueMillis, String lastName, String mark) {}

    @BeforeEach
    void open() throws SQLException {
        sql = new PopSql();
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
    }

    private Look look(String queue, String mark, String after, int step) throws SQLException {
        try (PreparedStatement statement =
                sql.connection.prepareStatement("select * from queen.changes_since_v1(?, 'g', ?, ?, ?)")) {
            statement.setString(1, queue);
            statement.setString(2, mark);
            statement.setString(3, after);
            statement.setInt(4, step);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Look(list(row.getArray(1)), list(row.getArray(2)), row.getString(3), row.getString(4));
            }
        }
    }

    private static List<Object> list(Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((Object[]) array.getArray());
    }

    @Test
    void sweep_inSteps_seesEveryPartitionOnce() throws SQLException {
        String queue = sql.queue("");
        UUID a = sql.push(queue, "a", 1);
        UUID b = sql.push(queue, "b", 1);
        UUID c = sql.push(queue, "c", 1);
        Look first = look(queue, null, null, 2);
        assertThat(first.ids()).containsExactly(a, b);
        assertThat(first.lastName()).isEqualTo("b");
        Look second = look(queue, null, "b", 2);
        assertThat(second.ids()).containsExactly(c);
        assertThat(second.lastName()).isNull();
    }

    @Test
    void sweep_consumedAndLeased_areLeftOutOrTold() throws SQLException {
        String queue = sql.queue("");
        UUID consumed = sql.push(queue, "a", 1);
        UUID leased = sql.push(queue, "b", 1);
        sql.lease(Wish.of(1, consumed).autoAcked());
        sql.lease(Wish.of(1, leased));
        Look look = look(queue, null, null, 10);
        assertThat(look.ids()).containsExactly(leased);
        assertThat((Long) look.dueMillis().get(0)).isBetween(290_000L, 300_000L);
    }

    @Test
    void sweep_unknownQueue_isEmpty() throws SQLException {
        Look look = look("nope-" + UUID.randomUUID(), null, null, 10);
        assertThat(look.ids()).isEmpty();
        assertThat(look.lastName()).isNull();
        assertThat(look.mark()).isNotNull();
    }

    @Test
    void look_insideAWindow_tellsWhenItCloses() throws SQLException {
        String queue = sql.queue("window_buffer = 100");
        Look before = look(queue, null, null, 10);
        sql.push(queue, "p", 1);
        for (String mark : Arrays.asList(null, before.mark())) {
            Look look = look(queue, mark, null, 10);
            assertThat((Long) look.dueMillis().get(0)).isBetween(90_000L, 100_000L);
        }
    }

    @Test
    void look_delayed_tellsWhenTheNextMessageIsDue() throws SQLException {
        String queue = sql.queue("delayed_processing = 100");
        Look before = look(queue, null, null, 10);
        UUID partition = sql.push(queue, "p", 2);
        sql.date(partition, 1, "60 s");
        for (String mark : Arrays.asList(null, before.mark())) {
            Look look = look(queue, mark, null, 10);
            assertThat((Long) look.dueMillis().get(0)).isBetween(30_000L, 40_000L);
        }
        sql.date(partition, 1, "160 s");
        assertThat(look(queue, null, null, 10).dueMillis()).containsExactly(0L);
    }

    @Test
    void news_pushSinceTheMark_isFoundOnce() throws SQLException {
        String queue = sql.queue("");
        Look before = look(queue, null, null, 10);
        UUID partition = sql.push(queue, "p", 1);
        Look after = look(queue, before.mark(), null, 10);
        assertThat(after.ids()).containsExactly(partition);
        assertThat(after.dueMillis()).containsExactly(0L);
        assertThat(look(queue, after.mark(), null, 10).ids()).isEmpty();
    }

    @Test
    void news_transactionOpenDuringALook_isFoundByTheNext() throws SQLException {
        String queue = sql.queue("");
        try (PopSql slow = new PopSql()) {
            slow.connection.setAutoCommit(false);
            UUID late = slow.push(queue, "late", 1);
            UUID early = sql.push(queue, "early", 1);
            Look first = look(queue, null, null, 10);
            assertThat(first.ids()).containsExactly(early);
            Look second = look(queue, first.mark(), null, 10);
            assertThat(second.ids()).doesNotContain(late);
            slow.connection.commit();
            assertThat(look(queue, second.mark(), null, 10).ids()).contains(late);
        }
    }

    @Test
    void news_leaseGivenBack_isFound() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 2);
        UUID lease = sql.lease(Wish.of(1, partition)).leaseId();
        Look held = look(queue, null, null, 10);
        sql.release(partition, lease, null);
        assertThat(look(queue, held.mark(), null, 10).ids()).containsExactly(partition);
    }

    @Test
    void news_ackLeavesMessages_isFound() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 2);
        sql.lease(Wish.of(1, partition));
        Look held = look(queue, null, null, 10);
        ack(partition, 1);
        Look after = look(queue, held.mark(), null, 10);
        assertThat(after.ids()).containsExactly(partition);
        assertThat(after.dueMillis()).containsExactly(0L);
    }

    @Test
    void news_ackLeavesNothing_isNone() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 1);
        sql.lease(Wish.of(1, partition));
        Look held = look(queue, null, null, 10);
        ack(partition, 1);
        assertThat(look(queue, held.mark(), null, 10).ids()).isEmpty();
    }

    /** After a crash transaction ids are given out again: what is pushed may stand before a mark from before. */
    @Test
    void news_markOfAnEarlierLifeOfTheDatabase_tellsNothing() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 1);
        Look before = look(queue, null, null, 10);
        sql.connection.setAutoCommit(false);
        sql.run("delete from queen.push_log_life");
        Look after = look(queue, before.mark(), null, 10);
        assertThat(after).isEqualTo(new Look(List.of(), List.of(), null, null));
        Look swept = look(queue, null, null, 10);
        assertThat(swept.ids()).containsExactly(partition);
        assertThat(look(queue, swept.mark(), null, 10).mark()).isEqualTo(swept.mark());
        sql.connection.rollback();
        sql.connection.setAutoCommit(true);
    }

    private void ack(UUID partition, long seq) throws SQLException {
        sql.run(
                "select queen.ack_messages_v2(jsonb_build_array(jsonb_build_object('partitionId', m.partition_id,"
                        + " 'transactionId', m.transaction_id, 'consumerGroup', 'g')))"
                        + " from queen.messages m where m.partition_id = ? and m.seq = ?",
                partition,
                seq);
    }
}
