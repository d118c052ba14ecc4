package io.queen.metrics;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of all queues that this server had to do with lately, and those of the server itself. */
@Singleton
public final class CounterRegistry {
    /** The name of the server's own counters. */
    public static final String SERVER = "";
    /** Minutes without anything after which a queue is forgotten. */
    private static final int QUIET_MINUTES = 60;

    private final QueueCounters server = new QueueCounters();
    /** A queue may have no name; its counters would stand where the server's stand, so they are not told. */
    private final QueueCounters nameless = new QueueCounters();

    private final Map<String, QueueCounters> queues = new ConcurrentHashMap<>();

    /**
     * What happened in one minute, or in whatever time passes between two calls of {@link #endMinute}.
     *
     * @param queue {@link #SERVER} for the server as a whole
     * @param parked pops that wait now
     */
    public record Minute(String queue, Map<CounterKind, Long> counts, long longestLag, long parked) {
        public long of(CounterKind kind) {
            return counts.getOrDefault(kind, 0L);
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

    /** Ends a minute: what each queue and, first of all, the server did since the last one. */
    public synchronized List<Minute> endMinute() {
        List<Minute> minutes = new ArrayList<>();
        long parked = nameless.parked()
                + queues.values().stream().mapToLong(QueueCounters::parked).sum();
        minutes.add(new Minute(SERVER, server.sinceLast(), server.longestLag(), parked));
        queues.forEach((queue, counters) ->
                minutes.add(new Minute(queue, counters.sinceLast(), counters.longestLag(), counters.parked())));
        queues.values().removeIf(counters -> counters.quietMinutes() >= QUIET_MINUTES);
        return minutes;
    }
}
