package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is told of a group, from cursors, leases, consumers and pauses in the tables. */
class GroupPageTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("page");
    private final String group = Partitions.name("g");

    private Map<String, Object> page() {
        return sql.row("select *, cardinality(holders) as consumers from queen.group_page_v1(?, 10, 0)", group);
    }

    private UUID cursor(int messages, long cursor) {
        UUID id = partitions.push(queue, "p", messages);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor) values (?, ?, ?)",
                id,
                group,
                cursor);
        return id;
    }

    /** A server tells of pops that wait and of consumers; null for none. */
    private void note(String server, int seconds, int waiting, String holders) {
        sql.run(
                "select queen.note_consumers_v1(?, ?, array[?], array[?], array[?::integer], array[?])",
                server,
                seconds,
                queue,
                group,
                waiting,
                holders);
    }

    private void agePushesAndProgress(String progress) {
        sql.run(
                "update queen.messages m set created_at = m.created_at - interval '1 hour' from queen.partitions p"
                        + " join queen.queues q on q.id = p.queue_id where p.id = m.partition_id and q.name = ?",
                queue);
        sql.run(
                "update queen.partition_consumers set progressed_at = now() - ?::interval where consumer_group = ?",
                progress,
                group);
    }

    @Test
    void state_nothingConsumedAndNobodyThere_isDead() {
        cursor(1, 0);
        assertThat(page()).containsEntry("state", "Dead").containsEntry("health", "idle");
    }

    @Test
    void state_liveLease_isNotDead() {
        UUID id = cursor(1, 0);
        lease(id, "1 minute");
        assertThat(page())
                .containsEntry("state", "Stable")
                .containsEntry("health", "active")
                .containsEntry("leases", 1L);
        lease(id, "-1 second");
        assertThat(page()).containsEntry("state", "Dead").containsEntry("leases", 0L);
    }

    private void lease(UUID id, String left) {
        sql.run(
                "update queen.partition_consumers set lease_id = gen_random_uuid(), lease_expires_at = now() + ?::interval"
                        + " where partition_id = ? and consumer_group = ?",
                left,
                id,
                group);
    }

    @Test
    void state_popThatWaitsOnAnyServer_isNotDead() {
        cursor(1, 1);
        note("one", 30, 0, "10.0.0.1 a");
        note("two", 30, 2, "10.0.0.1 a\n10.0.0.2");
        assertThat(page())
                .containsEntry("state", "Stable")
                .containsEntry("health", "active")
                .containsEntry("waiting", 2L)
                .containsEntry("consumers", 2);
    }

    @Test
    void consumers_ofAServerThatDied_areNotBelieved() {
        cursor(1, 1);
        note("gone", 0, 5, "10.0.0.1 a");
        assertThat(page())
                .containsEntry("state", "Dead")
                .containsEntry("health", "idle")
                .containsEntry("waiting", 0L)
                .containsEntry("consumers", 0);
    }

    @Test
    void consumers_oldRows_areRemovedByWhoTellsNext() {
        cursor(1, 1);
        note("gone", -3600, 5, "10.0.0.1 a");
        note("here", 30, 0, null);
        assertThat(sql.number("select count(*) from queen.consumers where queue_name = ?", queue))
                .isEqualTo(1);
    }

    @Test
    void list_groupThatOnlyWaits_isThere() {
        partitions.push(queue, "p", 1);
        note("here", 30, 1, null);
        assertThat(page())
                .containsEntry("queue_name", queue)
                .containsEntry("members", 0L)
                .containsEntry("health", "active");
    }

    @Test
    void health_pushedAllTheTimeAndNeverAcked_isStuck() {
        cursor(3, 1);
        agePushesAndProgress("10 minutes");
        assertThat(page())
                .as("the last push is new, the oldest message is not")
                .containsEntry("seconds", 0L)
                .containsEntry("health", "stuck");
    }

    @Test
    void health_oldMessageAndAcks_isLagging() {
        cursor(3, 1);
        agePushesAndProgress("1 minute");
        sql.run(
                "update queen.partitions p set last_push_at = last_push_at - interval '1 hour' from queen.queues q"
                        + " where q.id = p.queue_id and q.name = ?",
                queue);
        assertThat(page()).containsEntry("health", "lagging").containsEntry("state", "Lagging");
    }

    @Test
    void health_messagesDelayedByTheQueue_isNotStuck() {
        cursor(3, 1);
        agePushesAndProgress("10 minutes");
        sql.run("update queen.queues set delayed_processing = 3600 where name = ?", queue);
        assertThat(page()).containsEntry("health", "idle");
    }

    @Test
    void pause_ofTheQueueOrTheGroup_isTold() {
        cursor(1, 0);
        for (String paused : new String[] {null, group}) {
            sql.run("select queen.pause_v1(?, ?)", queue, paused);
            assertThat(page()).containsEntry("paused", true).containsEntry("health", "paused");
            sql.run("select queen.resume_v1(?, ?)", queue, paused);
            assertThat(page()).containsEntry("paused", false);
        }
        sql.run("select queen.pause_v1(?, 'another')", queue);
        assertThat(page()).containsEntry("paused", false);
    }

    /** In a transaction that nobody else sees. */
    @Test
    void pause_tooMany_isRefusedAndKnownOnesStay() {
        partitions.push(queue, "p", 1);
        sql.begin();
        sql.run(
                "insert into queen.pauses (queue_id, consumer_group)"
                        + " select q.id, 'g' || n from queen.queues q, generate_series(1, 1000) n where q.name = ?",
                queue);
        assertThat(sql.row("select * from queen.pause_v1(?, 'one more')", queue))
                .containsEntry("full", true)
                .containsEntry("changed", false);
        assertThat(sql.row("select * from queen.pause_v1(?, 'g7')", queue))
                .containsEntry("full", false)
                .containsEntry("changed", false);
        sql.run("rollback");
    }
}
