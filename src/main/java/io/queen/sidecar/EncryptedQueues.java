package io.queen.sidecar;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.store.Connection;
import io.queen.store.QueueStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which queues want their payloads encrypted. Asked again every second, so that a change made through another server
 * counts soon; a change made here counts at once.
 */
@Singleton
public final class EncryptedQueues {
    private static final Duration TRUSTED = Duration.ofSeconds(1);
    private static final int MAX_QUEUES = 100_000;

    private final PayloadCipher cipher;
    private final Cache<String, Boolean> flags = Caffeine.newBuilder()
            .expireAfterWrite(TRUSTED)
            .maximumSize(MAX_QUEUES)
            .build();

    EncryptedQueues(PayloadCipher cipher) {
        this.cipher = cipher;
    }

    /** Tells for each of these queues whether to encrypt. */
    Uni<Predicate<String>> among(Connection connection, Collection<String> queues) {
        Set<String> encrypted = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        for (String queue : queues) {
            Boolean flag = flags.getIfPresent(queue);
            if (flag == null) {
                unknown.add(queue);
            } else if (flag) {
                encrypted.add(queue);
            }
        }
        Uni<Set<String>> found = unknown.isEmpty()
                ? Uni.createFrom().item(Set.of())
                : QueueStore.encrypted(connection, unknown).invoke(names -> remember(unknown, names));
        return found.map(names -> {
            encrypted.addAll(names);
            return decide(encrypted);
        });
    }

    /** The configuration of the queue has changed here. */
    public void forget(String queue) {
        flags.invalidate(queue);
    }

    private void remember(Set<String> asked, Set<String> encrypted) {
        asked.forEach(queue -> flags.put(queue, encrypted.contains(queue)));
    }

    private Predicate<String> decide(Set<String> encrypted) {
        if (cipher.enabled()) {
            return encrypted::contains;
        }
        encrypted.forEach(cipher::warnOnce);
        return queue -> false;
    }
}
