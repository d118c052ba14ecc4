package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sql.PopSql.Outcome;
import io.queen.sql.PopSql.Wish;
import io.queen.testing.AlsoOnInstalledPostgres;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@AlsoOnInstalledPostgres
class PopSmLeaseTest {
    @AutoClose
    private final PopSql sql = new PopSql();

    @Test
    void lease_free_claimsUpToTheBatch() throws SQLException {
        UUID partition = sql.push(sql.queue("lease_time = 30"), "p", 5);
        Wish wish = Wish.of(3, partition);
        Outcome claimed = sql.lease(wish);
        assertThat(claimed.outcome()).isEqualTo("claimed");
        assertThat(claimed.first()).isZero();
        assertThat(claimed.last()).isEqualTo(3);
        assertThat(claimed.more()).isTrue();
        assertThat(claimed.dueMillis()).isEqualTo(30_000);
        assertThat(claimed.leaseId().toString())
                .startsWith(wish.leaseId().toString().substring(0, 28))
                .endsWith(partition.toString().substring(0, 8));
        assertThat(sql.cursor(partition, "g")).isZero();
    }

    @Test
    void lease_timeZero_isAMinute() throws SQLException {
        UUID partition = sql.push(sql.queue("lease_time = 0"), "p", 1);
        assertThat(sql.lease(Wish.of(1, partition)).dueMillis()).isEqualTo(60_000);
    }

    @Test
    void lease_heldByAnother_isLeasedUntilItExpires() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 1);
        sql.lease(Wish.of(1, partition));
        Outcome second = sql.lease(Wish.of(1, partition));
        assertThat(second.outcome()).isEqualTo("leased");
        assertThat(second.dueMillis()).isBetween(290_000L, 300_000L);
        assertThat(second.leaseId()).isNull();
        assertThat(sql.lease(Wish.of(1, partition).group("other")).outcome()).isEqualTo("claimed");
    }

    @Test
    void lease_expired_claimsTheSameMessagesAgain() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 2);
        sql.lease(Wish.of(1, partition));
        sql.expireLease(partition);
        Outcome second = sql.lease(Wish.of(5, partition));
        assertThat(second.outcome()).isEqualTo("claimed");
        assertThat(second.first()).isZero();
        assertThat(second.last()).isEqualTo(2);
        assertThat(second.more()).isFalse();
        assertThat(second.retryCount()).isZero();
    }

    @Test
    void lease_nothingAfterTheCursor_isEmpty() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 1);
        sql.lease(Wish.of(1, partition).autoAcked());
        assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("empty");
    }

    @Test
    void lease_unknownPartition_isGone() throws SQLException {
        assertThat(sql.lease(Wish.of(1, UUID.randomUUID())).outcome()).isEqualTo("gone");
    }

    @Test
    void lease_rowLockedByAnother_isLockedAndDoesNotWait() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 1);
        sql.lease(Wish.of(1, partition));
        sql.expireLease(partition);
        try (PopSql other = new PopSql()) {
            other.connection.setAutoCommit(false);
            other.run("select from queen.partition_consumers where partition_id = ? for update", partition);
            assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("locked");
            other.connection.rollback();
        }
        assertThat(sql.lease(Wish.of(1, partition)).outcome()).isEqualTo("claimed");
    }

    @Test
    void lease_insideTheWindow_isWindowUntilItsEnd() throws SQLException {
        UUID partition = sql.push(sql.queue("window_buffer = 100"), "p", 2);
        Outcome early = sql.lease(Wish.of(9, partition));
        assertThat(early.outcome()).isEqualTo("window");
        assertThat(early.dueMillis()).isBetween(90_000L, 100_000L);
        sql.date(partition, 2, "101 s");
        sql.date(partition, 1, "102 s");
        assertThat(sql.lease(Wish.of(9, partition)).last()).isEqualTo(2);
    }

    @Test
    void lease_delayed_claimsOnlyWhatIsOldEnough() throws SQLException {
        UUID partition = sql.push(sql.queue("delayed_processing = 100"), "p", 3);
        Outcome early = sql.lease(Wish.of(9, partition));
        assertThat(early.outcome()).isEqualTo("delayed");
        assertThat(early.dueMillis()).isBetween(90_000L, 100_000L);
        sql.date(partition, 1, "200 s");
        sql.date(partition, 2, "150 s");
        Outcome due = sql.lease(Wish.of(9, partition));
        assertThat(due.outcome()).isEqualTo("claimed");
        assertThat(due.last()).isEqualTo(2);
        assertThat(due.more()).isTrue();
    }

    @Test
    void lease_delayedAndAllRemoved_isClaimedSoThatTheCursorCanMove() throws SQLException {
        UUID partition = sql.push(sql.queue("delayed_processing = 100"), "p", 3);
        sql.delete(partition, 1, 3);
        Outcome outcome = sql.lease(Wish.of(9, partition));
        assertThat(outcome.outcome()).isEqualTo("claimed");
        assertThat(outcome.last()).isEqualTo(3);
    }

    @Test
    void lease_retryDelayed_isDelayed() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 1);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, retry_at) values (?, 'g', now() + interval '10 s')",
                partition);
        Outcome outcome = sql.lease(Wish.of(1, partition));
        assertThat(outcome.outcome()).isEqualTo("delayed");
        assertThat(outcome.dueMillis()).isBetween(5_000L, 10_000L);
    }

    @Test
    void lease_autoAck_movesTheCursorAndTakesNoLease() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 3);
        Outcome first = sql.lease(Wish.of(2, partition).autoAcked());
        assertThat(first.leaseId()).isNull();
        assertThat(first.last()).isEqualTo(2);
        assertThat(first.more()).isTrue();
        assertThat(sql.cursor(partition, "g")).isEqualTo(2);
        Outcome second = sql.lease(Wish.of(2, partition).autoAcked());
        assertThat(second.first()).isEqualTo(2);
        assertThat(second.last()).isEqualTo(3);
        assertThat(second.more()).isFalse();
        assertThat(sql.one("select total_consumed from queen.partition_consumers where partition_id = ?", partition))
                .isEqualTo(3L);
    }

    @Test
    void lease_severalPartitions_shareOneLeaseAndOneCap() throws SQLException {
        String queue = sql.queue("");
        UUID a = sql.push(queue, "a", 4);
        UUID b = sql.push(queue, "b", 4);
        UUID c = sql.push(queue, "c", 4);
        List<Outcome> outcomes = sql.lease(false, Wish.of(6, a, b, c));
        assertThat(outcomes).extracting(Outcome::outcome).containsExactly("claimed", "claimed", "free");
        assertThat(outcomes).extracting(Outcome::last).containsExactly(4L, 2L, null);
        assertThat(outcomes.get(0).leaseId()).isEqualTo(outcomes.get(1).leaseId());
        assertThat(sql.one(
                        "select cardinality(partition_ids) from queen.shared_leases where lease_id = ?",
                        outcomes.get(0).leaseId()))
                .isEqualTo(2);
    }

    @Test
    void lease_moreCandidatesThanWanted_skipsThoseThatAreNotToBeHad() throws SQLException {
        String queue = sql.queue("");
        UUID held = sql.push(queue, "held", 1);
        UUID a = sql.push(queue, "a", 1);
        UUID b = sql.push(queue, "b", 1);
        sql.lease(Wish.of(1, held));
        List<Outcome> outcomes = sql.lease(false, Wish.of(9, held, a, b).partitions(1));
        assertThat(outcomes).extracting(Outcome::outcome).containsExactly("leased", "claimed", "free");
    }

    @Test
    void lease_severalRequests_areIndependent() throws SQLException {
        String queue = sql.queue("");
        UUID a = sql.push(queue, "a", 2);
        UUID b = sql.push(queue, "b", 2);
        List<Outcome> outcomes = sql.lease(
                false,
                Wish.of(1, a),
                Wish.of(9, UUID.randomUUID()),
                Wish.of(9, b),
                Wish.of(9, a).group("h"));
        assertThat(outcomes).extracting(Outcome::outcome).containsExactly("claimed", "gone", "claimed", "claimed");
        assertThat(outcomes).extracting(Outcome::last).containsExactly(1L, null, 2L, 2L);
        assertThat(outcomes)
                .filteredOn(o -> o.leaseId() != null)
                .extracting(Outcome::leaseId)
                .doesNotHaveDuplicates();
    }

    @Test
    void lease_sentAgain_findsItsOwnLease() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 2);
        Wish wish = Wish.of(1, partition);
        Outcome first = sql.lease(wish);
        assertThat(sql.lease(true, wish).get(0)).isEqualTo(first);
        assertThat(sql.lease(true, Wish.of(1, partition)).get(0).outcome()).isEqualTo("leased");
    }

    @Test
    void lease_newGroup_startsWhereItsSubscriptionSays() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 4);
        sql.date(partition, 1, "4 h");
        sql.date(partition, 2, "3 h");
        sql.date(partition, 3, "2 h");
        sql.date(partition, 4, "1 h");
        subscribe(queue, "queue-wide", "", "150 min");
        subscribe(queue, "both", "", "150 min");
        subscribe(queue, "both", "p", "30 min");
        assertThat(sql.lease(Wish.of(9, partition).group("queue-wide")).first()).isEqualTo(2);
        assertThat(sql.lease(Wish.of(9, partition).group("both")).outcome()).isEqualTo("empty");
        assertThat(sql.lease(Wish.of(9, partition).group("none")).first()).isZero();
        OffsetDateTime given = OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(90);
        assertThat(sql.lease(Wish.of(9, partition).group("given").from(given)).first())
                .isEqualTo(3);
    }

    @Test
    void lease_withoutGroup_ignoresSubscriptions() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 2);
        subscribe(queue, "__QUEUE_MODE__", "", "0 s");
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        assertThat(sql.lease(Wish.of(9, partition).group("__QUEUE_MODE__").from(now))
                        .last())
                .isEqualTo(2);
    }

    @Test
    void lease_knownGroup_keepsItsCursorWhateverTheSubscription() throws SQLException {
        String queue = sql.queue("");
        UUID partition = sql.push(queue, "p", 2);
        sql.lease(Wish.of(1, partition).autoAcked());
        subscribe(queue, "g", "", "0 s");
        assertThat(sql.lease(Wish.of(1, partition)).first()).isEqualTo(1);
    }

    @Test
    void lease_retentionRemovedTheBeginning_startsBehindIt() throws SQLException {
        UUID partition = sql.push(sql.queue(""), "p", 5);
        sql.delete(partition, 1, 3);
        sql.run("update queen.partitions set tail = 3 where id = ?", partition);
        Outcome outcome = sql.lease(Wish.of(9, partition));
        assertThat(outcome.first()).isEqualTo(3);
        assertThat(outcome.last()).isEqualTo(5);
    }

    /** The row of a group that is new to the partition would refer to nothing: that was an error of the whole batch. */
    @Test
    void lease_queueIsBeingDeleted_doesNotWaitAndIsGoneThen() throws SQLException {
        String queue = sql.queue("");
        UUID doomed = sql.push(queue, "p", 1);
        UUID neighbour = sql.push(sql.queue(""), "p", 1);
        sql.run("set lock_timeout = '2 s'");
        try (PopSql admin = new PopSql()) {
            admin.connection.setAutoCommit(false);
            admin.run("select queen.delete_queue_v1(?)", queue);
            assertThat(sql.lease(false, Wish.of(1, doomed), Wish.of(1, neighbour)))
                    .extracting(Outcome::outcome)
                    .containsExactly("locked", "claimed");
            admin.connection.commit();
        }
        assertThat(sql.lease(Wish.of(1, doomed)).outcome()).isEqualTo("gone");
    }

    private void subscribe(String queue, String group, String partition, String ago) throws SQLException {
        sql.run(
                "select queen.pop_sm_subscribe(?, ?, ?, 'timestamp', now() - ?::interval)",
                queue,
                group,
                partition,
                ago);
    }
}
