package io.queen.metrics;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The tallies of all queues that this server had to do with lately, and that of the server itself. */
@Singleton
public final class Tallies {
    /** The name under which the server's own figures stand. */
    public static final String SERVER = "";
    /** Turns without anything after which a queue is forgotten. */
    private static final int QUIET_TURNS = 60;

    private final Tally server = new Tally();
    /** A queue may have no name; its figures would stand where the server's stand, so nobody is told of them. */
    private final Tally nameless = new Tally();

    private final Map<String, Tally> queues = new ConcurrentHashMap<>();

    /**
     * What happened in one turn.
     *
     * @param queue {@link #SERVER} for the server as a whole
     * @param parked pops that wait now
     */
    public record Turn(String queue, Map<Figure, Long> counts, long longestLag, long parked) {
        public long of(Figure figure) {
            return counts.getOrDefault(figure, 0L);
        }

        public boolean isQuiet() {
            return parked == 0 && counts.values().stream().allMatch(count -> count == 0);
        }
    }

    public Tally server() {
        return server;
    }

    public Tally of(String queue) {
        if (queue.isEmpty()) {
            return nameless;
        }
        Tally known = queues.get(queue);
        return known != null ? known : queues.computeIfAbsent(queue, name -> new Tally());
    }

    public Map<String, Tally> queues() {
        return queues;
    }

    /** Ends a turn: what each queue and, first of all, the server did since the last one. */
    public synchronized List<Turn> turn() {
        List<Turn> turns = new ArrayList<>();
        long parked = nameless.parked()
                + queues.values().stream().mapToLong(Tally::parked).sum();
        turns.add(new Turn(SERVER, server.sinceLast(), server.longestLag(), parked));
        queues.forEach(
                (queue, tally) -> turns.add(new Turn(queue, tally.sinceLast(), tally.longestLag(), tally.parked())));
        queues.values().removeIf(tally -> tally.quietTurns() >= QUIET_TURNS);
        return turns;
    }
}
