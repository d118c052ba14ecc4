package io.queen.consumer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The consumers that pop through this server: which pops wait, and which consumers came lately. Bounded whatever names
 * clients make up: there are no more waiting pops than connections, and of the rest those stay that come often. Every pop
 * writes here: no lock, no statement.
 */
@Singleton
public final class Consumers {
    private static final Duration LATELY = Duration.ofSeconds(60);
    private static final int MAX_PLACES = 5000;
    private static final int MAX_HOLDERS = 100;

    /** A group at a queue, or at the queues of a namespace and task. */
    record Place(PopTarget target, String group) {
        static Place of(PopRequest request) {
            PopTarget target = request.target() instanceof PopTarget.Partition one
                    ? new PopTarget.Queue(one.queue())
                    : request.target();
            return new Place(target, request.consumerGroup());
        }
    }

    private final Cache<Place, Map<String, Long>> seen = Caffeine.newBuilder()
            .expireAfterAccess(LATELY)
            .maximumSize(MAX_PLACES)
            .build();
    private final Map<Place, Integer> waiting = new ConcurrentHashMap<>();

    /** A pop came. */
    public void came(PopRequest request) {
        if (request.holder() != null) {
            Map<String, Long> holders = seen.get(Place.of(request), place -> new ConcurrentHashMap<>());
            if (holders.size() < MAX_HOLDERS || holders.containsKey(request.holder())) {
                holders.put(request.holder(), System.nanoTime());
            }
        }
    }

    /** One more pop waits, or one less. */
    public void parked(PopRequest request, int change) {
        waiting.merge(Place.of(request), change, (before, more) -> before + more == 0 ? null : before + more);
    }

    void eachWaiting(BiConsumer<Place, Integer> visitor) {
        waiting.forEach(visitor);
    }

    /** The consumers that came lately; the others are forgotten. */
    void eachSeen(long now, BiConsumer<Place, Iterable<String>> visitor) {
        seen.asMap().forEach((place, holders) -> {
            holders.values().removeIf(time -> now - time > LATELY.toNanos());
            if (!holders.isEmpty()) {
                visitor.accept(place, holders.keySet());
            }
        });
    }
}
