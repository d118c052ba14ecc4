package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.popPartition;
import static io.queen.testing.Pops.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a group starts. */
@QuarkusTest
class PopSubscriptionTest {
    private final String queue = Pops.queue();

    private List<Integer> popNew(Object... query) {
        Object[] all = new Object[query.length + 6];
        System.arraycopy(new Object[] {"consumerGroup", "n", "batch", 10, "subscriptionMode", "new"}, 0, all, 0, 6);
        System.arraycopy(query, 0, all, 6, query.length);
        return data(pop(queue, all));
    }

    @ParameterizedTest
    @ValueSource(strings = {"new", "new-only"})
    void new_fullQueue_skipsHistoryInAllPartitions(String mode) {
        push(queue, "a", 1);
        push(queue, "b", 2);
        assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionMode", mode)))
                .isEmpty();
        push(queue, "a", 3);
        assertThat(data(pop(queue, "consumerGroup", "n", "autoAck", true))).containsExactly(3);
        push(queue, "later", 4);
        assertThat(data(pop(queue, "consumerGroup", "n", "autoAck", true))).containsExactly(4);
        push(queue, "b", 5);
        assertThat(data(pop(queue, "consumerGroup", "n", "batch", 9, "autoAck", true)))
                .containsExactly(5);
        assertThat(data(pop(queue, "consumerGroup", "n"))).isEmpty();
    }

    @Test
    void new_emptyQueue_getsTheFirstMessage() {
        Pops.configure(queue, Map.of());
        assertThat(popNew()).isEmpty();
        push(queue, "p", 1);
        assertThat(popNew()).containsExactly(1);
    }

    @Test
    void new_queueThatDoesNotExistYet_getsTheFirstMessage() {
        assertThat(popNew()).isEmpty();
        push(queue, "p", 1);
        assertThat(popNew()).containsExactly(1);
    }

    @Test
    void new_onePartition_leavesTheOthersAlone() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        assertThat(data(popPartition(queue, "a", "consumerGroup", "n", "subscriptionMode", "new")))
                .isEmpty();
        assertThat(data(popPartition(queue, "b", "consumerGroup", "n"))).containsExactly(2);
        push(queue, "a", 3);
        assertThat(data(popPartition(queue, "a", "consumerGroup", "n"))).containsExactly(3);
    }

    /** A look at each, as it was once, took 37 seconds for 2,000 partitions. */
    @ParameterizedTest
    @ValueSource(strings = {"now", "1h"})
    void new_manyPartitionsWithHistory_looksAtNone(String from) {
        try (Sql sql = Sql.open()) {
            for (int i = 0; i < 50; i++) {
                push(queue, "p" + i, i);
            }
            sql.run(
                    "update queen.partitions set last_push_at = last_push_at - interval '2 h'"
                            + " where queue_id = (select id from queen.queues where name = ?)",
                    queue);
            assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionFrom", from)))
                    .isEmpty();
            push(queue, "p7", 100);
            assertThat(data(pop(queue, "consumerGroup", "n", "batch", 9))).contains(100);
            assertThat(sql.number(
                            "select count(*) from queen.partition_consumers c join queen.partitions p on p.id = c.partition_id"
                                    + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                            queue))
                    .isEqualTo(1);
        }
    }

    /** Whatever is under way when a group subscribes: what is pushed after its first answer is all its own. */
    @Test
    void new_pushesAllTheWhile_getsAllThatCameAfterItsFirstPop() {
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> producer = CompletableFuture.runAsync(
                () -> {
                    while (!stop.get()) {
                        int number = next.getAndIncrement();
                        push(queue, "p" + number % 7, number);
                    }
                },
                Parallel.THREADS);
        Map<String, Integer> from = new LinkedHashMap<>();
        Map<String, Set<Integer>> got = new LinkedHashMap<>();
        for (int i = 0; i < 12; i++) {
            String group = "n" + i;
            String[] mode = {"subscriptionMode", "new", "consumerGroup", group, "batch", "50", "autoAck", "true"};
            got.put(group, new TreeSet<>(data(pop(queue, (Object[]) mode))));
            from.put(group, next.get());
        }
        await().until(() -> next.get() > from.get("n11") + 20);
        stop.set(true);
        producer.join();
        from.forEach((group, first) -> {
            List<Integer> more;
            do {
                more = data(pop(queue, "consumerGroup", group, "batch", 50, "autoAck", true));
                got.get(group).addAll(more);
            } while (!more.isEmpty());
            assertThat(got.get(group))
                    .as("from %d on", first)
                    .containsAll(IntStream.range(first, next.get()).boxed().toList());
        });
    }

    @Test
    void new_withoutGroup_isIgnored() {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "subscriptionMode", "new"))).containsExactly(1);
    }

    @Test
    void mode_laterPopsDiffer_firstOneCounts() {
        push(queue, "p", 1);
        assertThat(popNew()).isEmpty();
        push(queue, "p", 2);
        assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionMode", "all", "subscriptionFrom", "1d")))
                .containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "from_beginning", "anything"})
    void mode_anythingElse_isAll(String mode) {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionMode", mode)))
                .containsExactly(1);
    }

    @Test
    void from_now_isNew() {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionFrom", "now")))
                .isEmpty();
        push(queue, "p", 2);
        assertThat(data(pop(queue, "consumerGroup", "n"))).containsExactly(2);
    }

    @Test
    void from_timeOfAMessage_startsWithIt() {
        push(queue, "p", 1);
        push(queue, "p", 2);
        push(queue, "p", 3);
        String second =
                Pops.message(pop(queue, "consumerGroup", "look", "batch", 3), 1).getString("createdAt");
        assertThat(data(pop(queue, "consumerGroup", "n", "batch", 9, "subscriptionFrom", second)))
                .containsExactly(2, 3);
        String offset = second.replace("Z", "+00:00");
        assertThat(data(pop(queue, "consumerGroup", "o", "batch", 9, "subscriptionFrom", offset)))
                .containsExactly(2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01", "5m ago", "1h", "2020-01-01T00:00:00.5Z"})
    void from_beforeEverything_isAllAndWinsOverTheMode(String from) {
        push(queue, "p", 1);
        assertThat(popNew("subscriptionFrom", from)).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2100-01-01", "2100-01-01T00:00:00Z"})
    void from_future_getsNothingYet(String from) {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "consumerGroup", "n", "subscriptionFrom", from)))
                .isEmpty();
    }
}
