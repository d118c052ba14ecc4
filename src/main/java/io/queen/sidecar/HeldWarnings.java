package io.queen.sidecar;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Tells the log what is held for long, for all event loops: each once a minute, and only so many of them. */
@Singleton
public final class HeldWarnings {
    private static final Logger LOG = Logger.getLogger(HeldWarnings.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final long LONG_MS = 1000;
    private static final int MAX_PER_PERIOD = 20;

    private final Cache<LockKey, Boolean> told = Caffeine.newBuilder()
            .expireAfterWrite(PERIOD)
            .maximumSize(MAX_PER_PERIOD)
            .build();

    private boolean mayTell() {
        if (told.estimatedSize() >= MAX_PER_PERIOD) {
            told.cleanUp();
        }
        return told.estimatedSize() < MAX_PER_PERIOD;
    }

    void held(HeldLocks.Held held, long millis) {
        if (millis >= LONG_MS && mayTell() && told.asMap().putIfAbsent(held.key(), true) == null) {
            LOG.warnf(
                    "%s has been held for %d ms by a transaction outside: its requests wait, all others go on",
                    held.key().told(), millis);
        }
    }
}
