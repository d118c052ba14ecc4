package io.queen.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConsumersTest {
    private final Consumers consumers = new Consumers();

    private static PopRequest pop(PopTarget target, String group, String holder) {
        return new PopRequest(target, group, 1, 1, false, null, null, holder);
    }

    private static PopRequest pop(String group, String holder) {
        return pop(new PopTarget.Queue("q"), group, holder);
    }

    private Map<Consumers.Place, Set<String>> seen(long now) {
        Map<Consumers.Place, Set<String>> seen = new HashMap<>();
        consumers.eachSeen(now, (place, holders) -> {
            Set<String> names = new HashSet<>();
            holders.forEach(names::add);
            seen.put(place, names);
        });
        return seen;
    }

    private Map<Consumers.Place, Integer> waiting() {
        Map<Consumers.Place, Integer> waiting = new HashMap<>();
        consumers.eachWaiting(waiting::put);
        return waiting;
    }

    @Test
    void pops_ofAQueueAndItsPartitions_areOnePlace() {
        consumers.came(pop("g", "10.0.0.1 a"));
        consumers.came(pop(new PopTarget.Partition("q", "p"), "g", "10.0.0.1 b"));
        assertThat(seen(System.nanoTime()))
                .containsOnly(Map.entry(
                        new Consumers.Place(new PopTarget.Queue("q"), "g"), Set.of("10.0.0.1 a", "10.0.0.1 b")));
    }

    @Test
    void consumer_notSeenForAMinute_isForgotten() {
        consumers.came(pop("g", "10.0.0.1"));
        assertThat(seen(System.nanoTime() + TimeUnit.SECONDS.toNanos(61))).isEmpty();
    }

    @Test
    void waiting_pops_areCountedUntilTheLastLeaves() {
        PopRequest one = pop("g", "10.0.0.1");
        consumers.parked(one, 1);
        consumers.parked(one, 1);
        consumers.parked(one, -1);
        assertThat(waiting().values()).containsExactly(1);
        consumers.parked(one, -1);
        assertThat(waiting()).isEmpty();
    }

    /** A caller that makes up names does not fill the memory. */
    @Test
    void names_madeUp_areBounded() {
        for (int i = 0; i < 150; i++) {
            consumers.came(pop("g", "10.0.0.1 " + i));
        }
        assertThat(seen(System.nanoTime()).values())
                .allSatisfy(holders -> assertThat(holders).hasSize(100));
        for (int i = 0; i < 50_000; i++) {
            consumers.came(pop("group " + i, "10.0.0.1"));
        }
        await().untilAsserted(() -> assertThat(seen(System.nanoTime()).size()).isLessThanOrEqualTo(5000));
    }
}
