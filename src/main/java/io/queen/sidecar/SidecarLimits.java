package io.queen.sidecar;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import java.time.Duration;

/** The bounds of one operation in one sidecar. Who waits for a lock has bounds of his own: as many, as much as a list. */
public record SidecarLimits(
        int maxItems, long maxBytes, Duration window, int maxWaiting, int maxInFlight, boolean eager) {
    /** What part of those that may wait for locks may wait for the same one. */
    private static final int PART_PER_KEY = 10;

    private static final long MAX_LOCK_PATIENCE_MS = 10_000;

    static SidecarLimits of(QueenConfig.Sidecar config) {
        return new SidecarLimits(
                config.maxItemsPerTx(),
                ByteSize.bytes(config.maxBytesPerTx()),
                Duration.ofMillis(config.microBatchWaitMs()),
                config.maxWaiting(),
                config.maxListsInFlight(),
                config.eager());
    }

    /** How many requests may wait for one lock that somebody outside holds. */
    int maxHeldPerKey() {
        return Math.max(1, maxWaiting / PART_PER_KEY);
    }

    /** A list makes several statements, each of which PostgreSQL ends in time; 0 when it does not. */
    static long stuckMillis(QueenConfig.Database config) {
        return config.statementTimeout() == 0 ? 0 : 2L * config.statementTimeout();
    }

    /** How long a request may wait for a lock that somebody outside holds; "for ever" is not on offer. */
    static long lockPatienceMillis(QueenConfig.Database config) {
        return config.lockTimeout() == 0 ? MAX_LOCK_PATIENCE_MS : config.lockTimeout();
    }

    /** For operations of which each request is a call of its own: a list of one. */
    SidecarLimits single() {
        return new SidecarLimits(1, maxBytes, window, maxWaiting, maxInFlight, eager);
    }
}
