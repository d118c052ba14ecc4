package io.queen.metrics;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The tallies of all queues that this server had to do with lately, and that of the server itself. */
@Singleton
public final class CounterRegistry {
    /** The name under which the server's own figures stand. */
    public static final String SERVER = "";
    /** Turns without anything after which a queue is forgotten. */
    private static final int QUIET_TURNS = 60;

    private final QueueCounters server = new QueueCounters();
    /** A queue may have no name; its figures would stand where the server's stand, so nobody is told of them. */
    private final QueueCounters nameless = new QueueCounters();

    private final Map<String, QueueCounters> queues = new ConcurrentHashMap<>();

    /**
     * What happened in one turn.
     *
     * @param queue {@link #SERVER} for the server as a whole
     * @param parked pops that wait now
     */
    public record Turn(String queue, Map<CounterKind, Long> counts, long longestLag, long parked) {
        public long of(CounterKind figure) {
            return counts.getOrDefault(figure, 0L);
        }

        public boolean isQuiet() {
            return parked == 0 && counts.values().stream().allMatch(count -> count == 0);
        }
    }

    public QueueCounters server() {
        return server;
    }

    public QueueCounters of(String queue) {
        if (queue.isEmpty()) {
            return nameless;
        }
        QueueCounters known = queues.get(queue);
        return known != null ? known : queues.computeIfAbsent(queue, name -> new QueueCounters());
    }

    public Map<String, QueueCounters> queues() {
        return queues;
    }

    /** Ends a turn: what each queue and, first of all, the server did since the last one. */
    public synchronized List<Turn> turn() {
        List<Turn> turns = new ArrayList<>();
        long parked = nameless.parked()
                + queues.values().stream().mapToLong(QueueCounters::parked).sum();
        turns.add(new Turn(SERVER, server.sinceLast(), server.longestLag(), parked));
        queues.forEach(
                (queue, tally) -> turns.add(new Turn(queue, tally.sinceLast(), tally.longestLag(), tally.parked())));
        queues.values().removeIf(tally -> tally.quietTurns() >= QUIET_TURNS);
        return turns;
    }
}
