package io.queen.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a push must know of its queues: which want their payloads encrypted, which have a limit. Asked again every second,
 * so that a change made through another server counts soon; a change made here counts at once.
 */
@Singleton
public final class QueueRules {
    private static final Duration TRUSTED = Duration.ofSeconds(1);
    private static final int MAX_QUEUES = 100_000;

    /**
     * What a push must know of a queue.
     *
     * @param encrypted payloads are to be encrypted
     * @param limited it has a {@code maxSize}
     */
    record Rule(boolean encrypted, boolean limited) {}

    private final Cache<String, Rule> known = Caffeine.newBuilder()
            .expireAfterWrite(TRUSTED)
            .maximumSize(MAX_QUEUES)
            .build();

    /** The rules of these queues. */
    Uni<Map<String, Rule>> of(Connection connection, Collection<String> queues) {
        Map<String, Rule> rules = new HashMap<>(known.getAllPresent(queues));
        List<String> unknown =
                queues.stream().filter(queue -> !rules.containsKey(queue)).toList();
        return unknown.isEmpty()
                ? Uni.createFrom().item(rules)
                : PushTargetStore.rules(connection, unknown).map(found -> {
                    known.putAll(found);
                    rules.putAll(found);
                    return rules;
                });
    }

    /** The configuration of the queue has changed here. */
    public void forget(String queue) {
        known.invalidate(queue);
    }
}
