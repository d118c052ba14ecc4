package io.queen.sidecar;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import java.time.Duration;

/** The bounds of one operation in one sidecar. */
record SidecarLimits(int maxItems, long maxBytes, Duration window, int maxWaiting, int maxInFlight, boolean eager) {

    static SidecarLimits of(QueenConfig.Sidecar config) {
        return new SidecarLimits(
                config.maxItemsPerTx(),
                ByteSize.bytes(config.maxBytesPerTx()),
                Duration.ofMillis(config.microBatchWaitMs()),
                config.maxWaiting(),
                config.maxListsInFlight(),
                config.eager());
    }

    /** A list makes several statements, each of which PostgreSQL ends in time; 0 when it does not. */
    static long stuckMillis(QueenConfig.Database config) {
        return config.statementTimeout() == 0 ? 0 : 2L * config.statementTimeout();
    }

    /** For operations of which each request is a call of its own: a list of one. */
    SidecarLimits single() {
        return new SidecarLimits(1, maxBytes, window, maxWaiting, maxInFlight, eager);
    }
}
