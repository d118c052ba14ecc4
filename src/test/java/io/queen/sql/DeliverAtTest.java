package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sql.PopSql.Outcome;
import io.queen.sql.PopSql.Wish;
import io.queen.testing.AlsoOnInstalledPostgres;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with a time of delivery: they keep their place, and their partition waits for them. */
@AlsoOnInstalledPostgres
class DeliverAtTest {
    @AutoClose
    private final PopSql db = new PopSql();

    /** A partition of so many messages. */
    private UUID filled(String settings, int messages) throws SQLException {
        return db.push(db.queue(settings), "p", messages);
    }

    /** The message is due in so many seconds, as if it had been pushed so. */
    private void delay(UUID partition, long seq, double seconds) throws SQLException {
        db.run(
                "update queen.messages set deliver_at = clock_timestamp() + make_interval(secs => ?)"
                        + " where partition_id = ? and seq = ?",
                seconds,
                partition,
                seq);
        db.run(
                "update queen.partitions p set delayed_until = (select max(m.deliver_at) from queen.messages m"
                        + " where m.partition_id = p.id) where p.id = ?",
                partition);
    }

    private Outcome take(int batch, UUID partition) throws SQLException {
        return db.lease(Wish.of(batch, partition).autoAcked());
    }

    private static void isDelayed(Outcome outcome, long seconds) {
        assertThat(outcome.outcome()).isEqualTo("delayed");
        assertThat(outcome.dueMillis()).isBetween(seconds * 1000 - 20_000, seconds * 1000);
    }

    @Test
    void pop_aMessageNotDueYet_endsTheBatchBeforeIt() throws SQLException {
        UUID partition = filled("", 5);
        delay(partition, 3, 60);
        Outcome first = take(10, partition);
        assertThat(first.last()).isEqualTo(2);
        assertThat(first.more()).isTrue();
        isDelayed(take(10, partition), 60);
        delay(partition, 3, -1);
        assertThat(take(10, partition).last()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pop_anyWayOfIt_waits(boolean leased) throws SQLException {
        UUID partition = filled("", 2);
        delay(partition, 1, 60);
        Wish wish = Wish.of(10, partition);
        isDelayed(db.lease(leased ? wish : wish.autoAcked()), 60);
        isDelayed(db.lease(wish.group("another")), 60);
    }

    @Test
    void pop_severalPartitions_givesThoseThatAreDue() throws SQLException {
        String queue = db.queue("");
        UUID waiting = db.push(queue, "a", 2);
        UUID due = db.push(queue, "b", 2);
        delay(waiting, 1, 60);
        assertThat(db.lease(false, Wish.of(10, waiting, due)))
                .extracting(Outcome::outcome)
                .containsExactly("delayed", "claimed");
    }

    @Test
    void pop_theSecondDueEarlier_waitsForTheFirst() throws SQLException {
        UUID partition = filled("", 2);
        delay(partition, 1, 60);
        delay(partition, 2, -5);
        isDelayed(take(10, partition), 60);
        delay(partition, 1, -1);
        delay(partition, 2, 30);
        assertThat(take(10, partition).last()).isEqualTo(1);
        isDelayed(take(10, partition), 30);
    }

    @Test
    void pop_manyDueBeforeOneThatIsNot_looksAtTheBatchAlone() throws SQLException {
        UUID partition = filled("", 200);
        delay(partition, 200, 60);
        db.delete(partition, 3, 4);
        for (int popped = 10; popped <= 190; popped += 10) {
            assertThat(take(10, partition).last()).isEqualTo(popped);
        }
        assertThat(take(10, partition).last()).isEqualTo(199);
        isDelayed(take(10, partition), 60);
    }

    @Test
    void pop_delayedProcessingToo_waitsForTheLater() throws SQLException {
        UUID partition = filled("delayed_processing = 100", 2);
        delay(partition, 1, 60);
        isDelayed(take(10, partition), 100);
        db.date(partition, 1, "1 h");
        isDelayed(take(10, partition), 60);
        delay(partition, 1, -1);
        assertThat(take(10, partition).last()).isEqualTo(1);
        isDelayed(take(10, partition), 100);
    }

    @Test
    void pop_windowBufferToo_waitsForBoth() throws SQLException {
        UUID partition = filled("window_buffer = 30", 1);
        delay(partition, 1, 60);
        assertThat(take(10, partition).outcome()).isEqualTo("window");
        assertThat(checked(partition)).isBetween(40_000L, 60_000L);
        db.date(partition, 1, "1 h");
        isDelayed(take(10, partition), 60);
    }

    /** What check_partitions_v1 says of the partition, as servers hear it. */
    private long checked(UUID partition) throws SQLException {
        return (Long) db.one("select (queen.check_partitions_v1('g', array[?::uuid])).due_ms[1]", partition);
    }

    @Test
    void servers_askingForNews_hearWhenItIsDue() throws SQLException {
        UUID partition = filled("", 2);
        assertThat(checked(partition)).isZero();
        delay(partition, 2, 60);
        assertThat(checked(partition)).isZero();
        delay(partition, 1, 30);
        assertThat(checked(partition)).isBetween(10_000L, 30_000L);
        assertThat((Long) db.one(
                        "select (queen.scan_page_v1(q.name, 'g', null, 10)).due_ms[1] from queen.queues q"
                                + " join queen.partitions p on p.queue_id = q.id where p.id = ?",
                        partition))
                .isBetween(10_000L, 30_000L);
    }

    @Test
    void sql_nothingDue_findsNothing() throws SQLException {
        String queue = db.queue("");
        UUID partition = db.push(queue, "p", 1);
        delay(partition, 1, 60);
        String pending = "select queen.has_pending_messages(?, null, 'g')";
        String pop = "select jsonb_array_length(queen.pop_messages_v2(?, null, 'g') -> 'messages')";
        assertThat(db.one(pending, queue)).isEqualTo(false);
        assertThat(db.one(pop, queue)).isEqualTo(0);
        delay(partition, 1, -1);
        assertThat(db.one(pending, queue)).isEqualTo(true);
        assertThat(db.one(pop, queue)).isEqualTo(1);
    }

    /** Ten are asked for at once, those served least lately first: the waiting ones must not stand in the way. */
    @Test
    void sql_manyPartitionsWait_popsTheOneThatIsDue() throws SQLException {
        String queue = db.queue("");
        for (int i = 0; i < 12; i++) {
            delay(db.push(queue, "waits" + i, 1), 1, 60);
        }
        db.push(queue, "due", 1);
        assertThat(db.one("select queen.pop_messages_v2(?, null, 'g') -> 'messages' -> 0 ->> 'partition'", queue))
                .isEqualTo("due");
    }

    @Test
    void push_withATime_isRememberedByThePartition() throws SQLException {
        String queue = db.queue("");
        UUID partition = db.push(queue, "p", 1);
        assertThat(db.one("select delayed_until from queen.partitions where id = ?", partition))
                .isNull();
        db.run(
                "select queen.push_messages_v2(jsonb_build_array(jsonb_build_object('queue', ?::text, 'partition', 'p',"
                        + " 'delaySeconds', 90), jsonb_build_object('queue', ?::text, 'partition', 'p', 'delaySeconds', 60),"
                        + " jsonb_build_object('queue', ?::text, 'partition', 'other')))",
                queue,
                queue,
                queue);
        db.push(queue, "p", 1);
        assertThat(db.one(
                        "select delayed_until = (select max(deliver_at) from queen.messages where partition_id = p.id)"
                                + " from queen.partitions p where id = ?",
                        partition))
                .isEqualTo(true);
        assertThat(take(10, partition).last()).isEqualTo(1);
        isDelayed(take(10, partition), 90);
    }

    @Test
    void delete_theOneThatWaits_freesThePartitionAndIsNews() throws SQLException {
        UUID partition = filled("", 2);
        delay(partition, 1, 60);
        isDelayed(take(10, partition), 60);
        long before = news(partition);
        db.run(
                "select queen.delete_message_v1(partition_id, transaction_id) from queen.messages"
                        + " where partition_id = ? and seq = 1",
                partition);
        assertThat(news(partition)).isEqualTo(before + 1);
        assertThat(checked(partition)).isZero();
        assertThat(take(10, partition).last()).isEqualTo(2);
    }

    private long news(UUID partition) throws SQLException {
        return (Long) db.one("select count(*) from queen.push_log where ? = any (partition_ids)", partition);
    }

    @Test
    void redriven_whileAnotherWaits_comesAtOnce() throws SQLException {
        UUID partition = filled("", 2);
        delay(partition, 2, 60);
        Outcome popped = db.lease(Wish.of(1, partition));
        db.run(
                "select queen.ack_list_v1(array[m.partition_id], array[m.transaction_id], array['g'], array[?::uuid],"
                        + " array['dlq'], array['x']) from queen.messages m where m.partition_id = ? and m.seq = 1",
                popped.leaseId(),
                partition);
        isDelayed(take(1, partition), 60);
        db.run("insert into queen.redriven (partition_id, consumer_group, seq) values (?, 'g', 1)", partition);
        db.run("update queen.partition_consumers set redriven = 1 where partition_id = ?", partition);
        assertThat(checked(partition)).isZero();
        assertThat(take(10, partition).last()).isEqualTo(1);
        isDelayed(take(10, partition), 60);
    }

    @Test
    void replayed_whatWasDue_isDue() throws SQLException {
        UUID partition = filled("", 2);
        delay(partition, 1, -1);
        delay(partition, 2, 60);
        assertThat(take(10, partition).last()).isEqualTo(1);
        db.run("update queen.partition_consumers set cursor = 0 where partition_id = ?", partition);
        assertThat(take(10, partition).last()).isEqualTo(1);
        isDelayed(take(10, partition), 60);
    }

    @Test
    void lag_ofWhatIsNotDue_isNone() throws SQLException {
        String queue = db.queue("");
        UUID partition = db.push(queue, "p", 1);
        db.lease(Wish.of(1, partition));
        db.expireLease(partition);
        db.date(partition, 1, "1 h");
        db.run(
                "update queen.partition_consumers set created_at = now() - interval '1 h' where partition_id = ?",
                partition);
        assertThat(health(queue)).isEqualTo("stuck");
        delay(partition, 1, 60);
        assertThat(health(queue)).isNotIn("stuck", "lagging");
        assertThat(db.one("select (queen.queue_lag_v1(?, 'g')::jsonb ->> 'lagSeconds')::integer", queue))
                .isEqualTo(0);
        delay(partition, 1, -400);
        assertThat(health(queue)).isEqualTo("stuck");
    }

    private Object health(String queue) throws SQLException {
        return db.one("select health from queen.group_page_v1('g', 1000, 0) where queue_name = ?", queue);
    }
}
