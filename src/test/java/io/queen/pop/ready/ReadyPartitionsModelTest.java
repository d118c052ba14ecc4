package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Found;
import io.queen.pop.ready.ReadyQuestions.Question;
import io.queen.runtime.FakeTimers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ready partitions beside a model of the database: consumers take, find, lease and ack, producers push here and elsewhere, in any
 * order. When all is quiet, what the database has must be found by taking alone, with looks at the log.
 */
class ReadyPartitionsModelTest {
    private static final int STEPS = 5000;
    private static final int PARTITIONS = 6;
    private static final long LEASE_MILLIS = 50;

    private final ReadyPartitions ready = new ReadyPartitions("q", "g", ReadyFixtures.waitList(new FakeTimers()));
    private final Map<UUID, Integer> pending = new HashMap<>();
    private final Map<UUID, Long> leasedUntil = new HashMap<>();
    private final Map<UUID, UUID> leases = new HashMap<>();
    private final Set<UUID> log = new HashSet<>();
    private final List<UUID> unheard = new ArrayList<>();
    private final List<Runnable> settlements = new ArrayList<>();
    private Random random;
    private long now;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void readyPartitions_anyOrderOfEvents_losesNoPartition(long seed) {
        random = new Random(seed);
        for (int i = 0; i < STEPS; i++) {
            step();
            now += random.nextInt(3) * 1_000_000L;
        }
        settlements.forEach(Runnable::run);
        unheard.forEach(ready::pushed);
        now += 2 * LEASE_MILLIS * 1_000_000L;
        drain();
        assertThat(pending.values()).allMatch(left -> left == 0);
    }

    private void step() {
        UUID partition = new UUID(0, random.nextInt(PARTITIONS));
        switch (random.nextInt(7)) {
            case 0 -> push(partition, true);
            case 1 -> push(partition, false);
            case 2 -> hear();
            case 3 -> look();
            case 4 -> take();
            case 5 -> settle();
            default -> ack(partition);
        }
    }

    private void push(UUID partition, boolean here) {
        pending.merge(partition, 1, Integer::sum);
        log.add(partition);
        if (here) {
            unheard.add(partition);
        }
    }

    private void hear() {
        if (!unheard.isEmpty()) {
            ready.pushed(unheard.remove(random.nextInt(unheard.size())));
        }
    }

    /** What the database answers now may be taken in later, after other events. */
    private void look() {
        Question question = ready.question(now);
        List<Found> found = new ArrayList<>();
        for (UUID partition : question.mark() == null ? pending.keySet() : log) {
            if (pending.getOrDefault(partition, 0) > 0) {
                long left = leasedUntil.getOrDefault(partition, 0L) - now;
                found.add(new Found(partition, Math.max(0, (left + 999_999) / 1_000_000)));
            }
        }
        log.clear();
        ready.answer(question, new Answer(found, null, "1"), now, now);
    }

    private void take() {
        for (UUID partition : ready.take(1 + random.nextInt(2), now)) {
            claim(partition);
        }
    }

    private void claim(UUID partition) {
        long asked = now;
        long until = leasedUntil.getOrDefault(partition, 0L);
        if (until > now) {
            settlements.add(() -> ready.defer(partition, (until - asked + 999_999) / 1_000_000, asked));
        } else if (pending.getOrDefault(partition, 0) == 0) {
            settlements.add(() -> ready.forget(partition));
        } else if (random.nextInt(4) == 0) {
            settlements.add(() -> ready.putBack(partition));
        } else if (random.nextInt(3) == 0) {
            boolean more = pending.merge(partition, -1, Integer::sum) > 0;
            settlements.add(() -> autoAcked(partition, more));
        } else {
            UUID lease = new UUID(random.nextLong(), random.nextLong());
            leases.put(partition, lease);
            leasedUntil.put(partition, now + LEASE_MILLIS * 1_000_000);
            settlements.add(() -> ready.leased(partition, lease, LEASE_MILLIS, asked));
        }
    }

    private void autoAcked(UUID partition, boolean more) {
        if (more) {
            ready.served(partition);
        } else {
            ready.forget(partition);
        }
    }

    private void settle() {
        if (!settlements.isEmpty()) {
            settlements.remove(random.nextInt(settlements.size())).run();
        }
    }

    /** The holder of the lease has got its answer, so its claim is settled. */
    private void ack(UUID partition) {
        if (leasedUntil.getOrDefault(partition, 0L) <= now || !settlements.isEmpty()) {
            return;
        }
        leasedUntil.remove(partition);
        if (random.nextInt(4) > 0) {
            pending.merge(partition, -1, Integer::sum);
        }
        boolean left = pending.get(partition) > 0;
        UUID lease = leases.get(partition);
        settlements.add(() -> ended(partition, lease, left));
    }

    private void ended(UUID partition, UUID lease, boolean left) {
        if (left) {
            ready.freed(partition);
        } else {
            ready.drained(partition, lease);
        }
    }

    private void drain() {
        look();
        for (List<UUID> taken = ready.take(9, now); !taken.isEmpty(); taken = ready.take(9, now)) {
            for (UUID partition : taken) {
                autoAcked(partition, pending.merge(partition, -1, (left, less) -> Math.max(0, left + less)) > 0);
            }
        }
    }
}
