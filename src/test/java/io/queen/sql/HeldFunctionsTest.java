package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code held_partitions_v1}, {@code held_consumers_v1}, {@code held_leases_v1}: what a transaction outside holds. */
class HeldFunctionsTest {
    private static final String LANES = "select ord from queen.held_partitions_v1(?::text[], ?::text[]) order by ord";
    private static final String CONSUMERS =
            "select ord from queen.held_consumers_v1(?::uuid[], ?::text[]) order by ord";
    private static final String LEASES = "select ord from queen.held_leases_v1(?::uuid[]) order by ord";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    @AutoClose
    private final Sql holder = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("held");
    private UUID a;
    private UUID b;

    @BeforeEach
    void fill() {
        a = partitions.push(queue, "a", 2);
        b = partitions.push(queue, "b", 2);
        holder.begin();
    }

    @Test
    void lanes_nothingHeld_isNothing() {
        assertThat(lanes(queue, "a", "b", "new")).isEmpty();
    }

    @Test
    void lanes_pushedToByAnother_isThatOne() {
        push(queue, "b");
        assertThat(lanes(queue, "a", "b")).containsExactly(2);
        holder.commit();
        assertThat(lanes(queue, "a", "b")).isEmpty();
    }

    @Test
    void lanes_pushedToByOneAfterAnother_areOtherHolders() {
        push(queue, "b");
        String first = holder(queue, "b");
        assertThat(holder(queue, "b")).isEqualTo(first);
        holder.commit();
        holder.begin();
        new Partitions(holder).push(queue, "b", 4);
        assertThat(holder(queue, "b")).isNotEqualTo(first);
    }

    @Test
    void lanes_beingCreatedByAnother_isThatOneAndTheOthersAreCreated() {
        push(queue, "new");
        assertThat(lanes(queue, "newer", "new", "newest")).containsExactly(2);
        assertThat(partitions.id(queue, "newer")).isNotNull();
    }

    @Test
    void lanes_queueBeingCreatedByAnother_areAllOfIt() {
        String fresh = Partitions.name("fresh");
        push(fresh, "x");
        assertThat(lanes(fresh, "x", "y")).containsExactly(1, 2);
        assertThat(lanes(queue, "a")).isEmpty();
    }

    @Test
    void lanes_queueWithALimitPushedToByAnother_areAllOfIt() {
        String limited = Partitions.name("limited");
        sql.run("insert into queen.queues (name, max_size) values (?, 100)", limited);
        partitions.push(limited, "x", 1);
        push(limited, "x");
        assertThat(lanes(limited, "y", "z")).containsExactly(1, 2);
        holder.commit();
        assertThat(lanes(limited, "y", "z")).isEmpty();
    }

    @Test
    void lanes_queueWithALimitPushedToForTheFirstTimeByAnother_areAllOfIt() {
        String limited = Partitions.name("limited");
        sql.run("insert into queen.queues (name, max_size) values (?, 100)", limited);
        sql.run("select queen.ensure_partitions_v1(array[?, ?], array['x', 'y'])", limited, limited);
        push(limited, "x");
        assertThat(lanes(limited, "y")).containsExactly(1);
    }

    @Test
    void lanes_deletedByAnother_areHeld() {
        holder.run("select queen.delete_queue_v1(?)", queue);
        assertThat(lanes(queue, "a", "b", "new")).containsExactly(1, 2, 3);
    }

    @Test
    void consumers_lockedByAnother_isThatOne() {
        partitions.lease(a, "g", 1);
        partitions.lease(b, "g", 1);
        holder.run("select from queen.partition_consumers where partition_id = ? for update", b);
        assertThat(consumers("g", a, b, b)).containsExactly(2, 3);
        holder.commit();
        assertThat(consumers("g", a, b)).isEmpty();
    }

    @Test
    void consumers_beingCreatedByAnother_isThatOneAndNoRowIsLeft() {
        holder.run("insert into queen.partition_consumers (partition_id, consumer_group) values (?, 'g')", a);
        assertThat(consumers("g", a, b)).containsExactly(1);
        assertThat(sql.number("select count(*) from queen.partition_consumers where partition_id = ?", b))
                .isZero();
    }

    @Test
    void consumers_partitionPushedToByAnother_areFree() {
        partitions.lease(a, "g", 1);
        push(queue, "a");
        assertThat(consumers("g", a)).isEmpty();
    }

    @Test
    void consumers_partitionThatCanNotBeReferredTo_isHeld() {
        partitions.lease(a, "g", 1);
        partitions.lease(b, "g", 1);
        holder.run("select from queen.partitions where id = ? for update", a);
        assertThat(consumers("g", a, b)).containsExactly(1);
    }

    @Test
    void consumers_unknown_areFree() {
        assertThat(consumers("g", UUID.randomUUID())).isEmpty();
    }

    @Test
    void leases_rowLockedByAnother_isThatOne() {
        UUID free = partitions.lease(a, "g", 1);
        UUID held = partitions.lease(b, "g", 1);
        holder.run("select from queen.partition_consumers where partition_id = ? for update", b);
        assertThat(sql.rows(LEASES, array(free, held, UUID.randomUUID())))
                .extracting(row -> row.get("ord"))
                .containsExactly(2);
    }

    @Test
    void leases_sharedByTwoPartitionsOneLocked_isHeld() {
        UUID lease = partitions.lease(a, "g", 1);
        partitions.hold(b, "g", lease, 1, 60);
        sql.run(
                "insert into queen.shared_leases (lease_id, consumer_group, partition_ids) values (?, 'g', ?::uuid[])",
                lease,
                array(a, b));
        holder.run("select from queen.partition_consumers where partition_id = ? for update", b);
        assertThat(sql.rows(LEASES, array(lease))).hasSize(1);
    }

    private void push(String toQueue, String partition) {
        new Partitions(holder).push(toQueue, partition, 3);
    }

    private String holder(String ofQueue, String partition) {
        return sql.text("select holder from queen.held_partitions_v1(array[?], array[?])", ofQueue, partition);
    }

    private List<Object> lanes(String ofQueue, String... names) {
        String queues = "{" + String.join(",", Collections.nCopies(names.length, ofQueue)) + "}";
        return sql.rows(LANES, queues, "{" + String.join(",", names) + "}").stream()
                .map(row -> row.get("ord"))
                .distinct()
                .toList();
    }

    private List<Object> consumers(String group, UUID... ids) {
        String groups = "{" + String.join(",", Collections.nCopies(ids.length, group)) + "}";
        return sql.rows(CONSUMERS, array(ids), groups).stream()
                .map(row -> row.get("ord"))
                .toList();
    }

    private static String array(UUID... ids) {
        return "{" + String.join(",", Arrays.stream(ids).map(UUID::toString).toList()) + "}";
    }
}
