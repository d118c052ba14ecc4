package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sql.PopSql.Wish;
import io.queen.testing.AlsoOnInstalledPostgres;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A group that starts now, or was moved to the end, has nothing but what is pushed from then on: a server that comes to it
 * looks into the push log from there and at no partition. Each step of a sweep is one partition here, so whoever sweeps
 * gets the name of the first.
 */
@AlsoOnInstalledPostgres
class ClearMarkTest {
    private PopSql sql;
    private PopSql other;
    private String queue;

    /** What a server hears; {@code lastName} is null when no sweep is needed. */
    private record Look(List<Object> ids, String lastName, String mark) {}

    @BeforeEach
    void open() throws SQLException {
        sql = new PopSql();
        other = new PopSql();
        queue = sql.queue("");
        sql.push(queue, "a", 1);
        sql.push(queue, "b", 2);
        sql.push(queue, "c", 1);
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
        other.close();
    }

    private Look look(String mark) throws SQLException {
        try (PreparedStatement statement = sql.connection.prepareStatement(
                "select ids, last_name, mark from queen.changes_since_v1(?, 'g', ?, null, 1)")) {
            statement.setString(1, queue);
            statement.setString(2, mark);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Array ids = row.getArray(1);
                List<Object> list = ids == null ? List.of() : Arrays.asList((Object[]) ids.getArray());
                return new Look(list, row.getString(2), row.getString(3));
            }
        }
    }

    /** What a server finds that comes to the group: a look from the start, and what is told after it. */
    private List<Object> all() throws SQLException {
        Look first = look(null);
        assertThat(first.lastName()).isNull();
        return first.ids();
    }

    private void subscribe(String partition, String time) throws SQLException {
        subscribe(sql, partition, time);
    }

    private void subscribe(PopSql on, String partition, String time) throws SQLException {
        on.run("select queen.pop_sm_subscribe(?, 'g', ?, 'new', " + time + ")", queue, partition);
    }

    private UUID id(String partition) throws SQLException {
        return (UUID) sql.one(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where q.name = ? and p.name = ?",
                queue,
                partition);
    }

    private long marks() throws SQLException {
        return (Long) sql.one(
                "select count(*) from queen.clear_marks m join queen.queues q on q.id = m.queue_id where q.name = ?",
                queue);
    }

    @Test
    void look_groupThatStartsNow_walksOverNoPartition() throws SQLException {
        subscribe("", "null");
        Look first = look(null);
        assertThat(first.ids()).isEmpty();
        assertThat(first.lastName()).isNull();
        UUID pushed = sql.push(queue, "b", 1);
        assertThat(look(first.mark()).ids()).containsExactly(pushed);
        assertThat(all()).as("another server").containsExactly(pushed);
        assertThat(sql.lease(Wish.of(9, pushed)).first()).isEqualTo(2);
    }

    @Test
    void look_groupThatStartsInTheFuture_walksOverNoPartition() throws SQLException {
        subscribe("", "now() + interval '1 h'");
        assertThat(all()).isEmpty();
        sql.push(queue, "b", 1);
        assertThat(all()).as("too early").isEmpty();
    }

    @Test
    void look_groupThatStartsEarlier_sweepsButPassesOverWhatIsOlder() throws SQLException {
        UUID newer = id("c");
        sql.date(id("a"), 1, "2 h");
        sql.date(id("b"), 1, "3 h");
        sql.date(id("b"), 2, "2 h");
        subscribe("", "now() - interval '1 h'");
        assertThat(marks()).isZero();
        assertThat(sql.column("select unnest(ids) from queen.changes_since_v1(?, 'g', null, null, 10)", queue))
                .containsExactly(newer);
        assertThat(sql.column(
                        "select unnest(ids) from queen.check_partitions_v1('g', array[?::uuid, ?::uuid])",
                        id("a"),
                        newer))
                .containsExactly(newer);
        assertThat(sql.column("select partition_id from queen.pop_sm_resolve(?, 'g', 9)", queue))
                .containsExactly(newer);
        assertThat(sql.one("select queen.has_pending_messages(?, 'a', 'g')", queue))
                .isEqualTo(false);
        assertThat(sql.one("select queen.has_pending_messages(?, null, 'g')", queue))
                .isEqualTo(true);
    }

    @Test
    void look_withoutGroup_startsAtTheBeginning() throws SQLException {
        sql.run("select queen.pop_sm_subscribe(?, '__QUEUE_MODE__', '', 'new', null)", queue);
        assertThat(marks()).isZero();
        assertThat(sql.column(
                        "select unnest(ids) from queen.changes_since_v1(?, '__QUEUE_MODE__', null, null, 10)", queue))
                .hasSize(3);
    }

    /** Its transaction is older than the subscription, its messages are not. */
    @Test
    void look_pushOfATransactionBegunBefore_isFoundOnceItCommits() throws SQLException {
        other.connection.setAutoCommit(false);
        other.run("select pg_current_xact_id()");
        subscribe("", "null");
        UUID late = other.push(queue, "late", 1);
        Look before = look(null);
        assertThat(before.ids()).isEmpty();
        other.connection.commit();
        assertThat(look(before.mark()).ids()).containsExactly(late);
        assertThat(all()).containsExactly(late);
    }

    @Test
    void look_pushedBeforeAndCommittedAfter_isNotTheGroups() throws SQLException {
        other.connection.setAutoCommit(false);
        UUID early = other.push(queue, "early", 1);
        subscribe("", "null");
        other.connection.commit();
        assertThat(all()).isEmpty();
        assertThat(sql.lease(Wish.of(9, early)).outcome()).isEqualTo("empty");
    }

    @Test
    void look_groupHasACursor_sweeps() throws SQLException {
        sql.lease(Wish.of(1, id("b")).autoAcked());
        subscribe("", "null");
        assertThat(look(null).lastName()).isEqualTo("a");
        assertThat(sql.column("select unnest(ids) from queen.changes_since_v1(?, 'g', null, null, 10)", queue))
                .containsExactly(id("b"));
    }

    @Test
    void look_cursorJustBeingMade_sweeps() throws SQLException {
        other.connection.setAutoCommit(false);
        other.lease(Wish.of(1, id("b")).autoAcked());
        subscribe("", "null");
        other.connection.commit();
        assertThat(look(null).lastName()).isEqualTo("a");
    }

    /** It does not see the subscription, puts its cursor before it, and loses its lease. */
    @Test
    void look_cursorMadeByATransactionBegunBefore_isFound() throws SQLException {
        other.connection.setAutoCommit(false);
        other.connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        other.one("select count(*) from queen.subscriptions");
        subscribe("", "null");
        UUID partition = id("b");
        assertThat(other.lease(Wish.of(1, partition)).first()).isZero();
        other.connection.commit();
        assertThat(all()).containsExactly(partition);
    }

    /** It needs a cursor, and that is not before its subscription. */
    @Test
    void look_ackedWithoutALeaseWhatLiesBefore_getsNothingByThat() throws SQLException {
        subscribe("", "null");
        sql.run(
                "select queen.ack_messages_v2(jsonb_build_array(jsonb_build_object('partitionId', m.partition_id,"
                        + " 'transactionId', m.transaction_id, 'consumerGroup', 'g')))"
                        + " from queen.messages m where m.partition_id = ? and m.seq = 1",
                id("b"));
        assertThat(sql.cursor(id("b"), "g")).isEqualTo(2);
        assertThat(all()).isEmpty();
    }

    @Test
    void look_recordOfAPartition_isNotPassedOver() throws SQLException {
        subscribe("b", "now() - interval '1 h'");
        subscribe("", "null");
        assertThat(look(null).lastName()).isEqualTo("a");
    }

    @Test
    void look_laterRecordOfAPartitionBeginsEarlier_isNews() throws SQLException {
        subscribe("", "null");
        Look before = look(null);
        subscribe("b", "now() - interval '1 h'");
        assertThat(look(before.mark()).ids()).containsExactly(id("b"));
        assertThat(all()).containsExactly(id("b"));
    }

    @Test
    void look_subscriptionMovedBack_tellsWhatLiesThere() throws SQLException {
        subscribe("", "null");
        Look before = look(null);
        assertThat(sql.one("select queen.move_subscriptions_v1('g', now() - interval '1 h')"))
                .isNotEqualTo(0);
        assertThat(look(before.mark()).ids()).containsExactlyInAnyOrder(id("a"), id("b"), id("c"));
        assertThat(all()).hasSize(3);
    }

    @Test
    void look_groupDeleted_startsAnew() throws SQLException {
        subscribe("", "null");
        Look before = look(null);
        UUID partition = sql.push(queue, "b", 1);
        sql.lease(Wish.of(1, partition).autoAcked());
        sql.run("select queen.delete_group_v1('g', ?, true)", queue);
        assertThat(marks()).isZero();
        assertThat(look(before.mark()).ids()).containsExactlyInAnyOrder(id("a"), id("b"), id("c"));
        subscribe("", "null");
        assertThat(all()).as("and may start now again").isEmpty();
    }

    @Test
    void look_groupDeletedWhileItGetsACursor_knowsOfTheCursor() throws SQLException {
        sql.lease(Wish.of(1, id("a")));
        other.connection.setAutoCommit(false);
        other.lease(Wish.of(1, id("b")));
        sql.run("select queen.delete_group_v1('g', ?, true)", queue);
        other.connection.commit();
        subscribe("", "null");
        assertThat(look(null).lastName()).isEqualTo("a");
    }

    @Test
    void look_queueDeletedAndMadeAnew_startsAnew() throws SQLException {
        subscribe("", "null");
        sql.run("select queen.delete_queue_v1(?)", queue);
        UUID again = sql.push(queue, "a", 1);
        assertThat(sql.column("select unnest(ids) from queen.changes_since_v1(?, 'g', null, null, 10)", queue))
                .containsExactly(again);
    }

    @Test
    void look_earlierLifeOfTheDatabase_sweeps() throws SQLException {
        subscribe("", "null");
        sql.connection.setAutoCommit(false);
        sql.run("delete from queen.push_log_life");
        assertThat(look(null).lastName()).isEqualTo("a");
        sql.connection.rollback();
        sql.connection.setAutoCommit(true);
    }

    @Test
    void trim_logThatAMarkNeeds_takesTheMarkAlong() throws SQLException {
        subscribe("", "null");
        sql.connection.setAutoCommit(false);
        Object mark = sql.one("select mark from queen.trim_push_log_v1(null)");
        assertThat(marks()).isEqualTo(1);
        sql.run("update queen.clear_marks set xid = '3'");
        sql.run("select queen.trim_push_log_v1(?)", mark);
        assertThat(marks()).isZero();
        sql.connection.rollback();
        sql.connection.setAutoCommit(true);
    }

    @Test
    void look_afterASeekToTheEnd_walksOverNoPartition() throws SQLException {
        sql.lease(Wish.of(1, id("b")).autoAcked());
        String after = null;
        String mark = null;
        UUID pushed = null;
        do {
            try (PreparedStatement statement = sql.connection.prepareStatement(
                    "select last_name, mark from queen.seek_group_v1('g', ?, 'end', null, ?, 1, ?)")) {
                statement.setString(1, queue);
                statement.setString(2, after);
                statement.setString(3, mark);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    after = row.getString(1);
                    mark = row.getString(2);
                }
            }
            pushed = pushed == null ? sql.push(queue, "a", 1) : pushed;
        } while (after != null);
        assertThat(all()).as("pushed while it was moved").containsExactly(pushed);
    }

    @Test
    void look_afterASeekToTheBeginning_findsAll() throws SQLException {
        subscribe("", "null");
        sql.run("select queen.seek_group_v1('g', ?, 'beginning', null, null, 10)", queue);
        assertThat(all()).hasSize(3);
    }
}
