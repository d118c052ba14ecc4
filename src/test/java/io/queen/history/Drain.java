package io.queen.history;

import io.queen.history.Tables.Consumer;
import io.queen.testing.Sql;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits until everybody has consumed everything, for as long as there is less to do from time to time. What is left when
 * nothing moves any more is for the rules to tell.
 */
final class Drain {
    private static final Duration STANDSTILL = Duration.ofSeconds(90);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Installation installation;
    private final Client client;
    private long least = Long.MAX_VALUE;
    private long leastSince = System.nanoTime();

    Drain(Installation installation) {
        this.installation = installation;
        this.client = new Client(installation);
    }

    void await() {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < end && goesOn()) {
            Faults.pass(200);
        }
    }

    private boolean goesOn() {
        long left = left();
        if (left < least) {
            least = left;
            leastSince = System.nanoTime();
        }
        return left > 0 && System.nanoTime() - leastSince < TimeUnit.NANOSECONDS.convert(STANDSTILL);
    }

    private long left() {
        long heldBack = Maintenance.heldBack(client);
        try (Sql sql = installation.postgres().connect()) {
            Tables tables = Tables.read(sql);
            return heldBack
                    + tables.lanes().keySet().stream()
                            .flatMap(Drain::consumers)
                            .mapToLong(consumer -> left(tables, consumer))
                            .sum();
        }
    }

    private static Stream<Consumer> consumers(String lane) {
        Plan plan = Workload.PLAN;
        return Stream.of(plan.groupsOf(lane), plan.carelessOf(lane), plan.mendersOf(lane))
                .flatMap(Set::stream)
                .map(group -> new Consumer(lane, group));
    }

    private static int left(Tables tables, Consumer consumer) {
        int unread = tables.lane(consumer.lane()).size() - tables.cursors().getOrDefault(consumer, 0);
        return unread + tables.waiting().getOrDefault(consumer, 0);
    }
}
