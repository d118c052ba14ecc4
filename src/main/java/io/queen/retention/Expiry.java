package io.queen.retention;

import java.util.Locale;

/** Why messages are removed by age. */
enum Expiry {
    /** Older than {@code retentionSeconds}, consumed or not. */
    RETENTION,
    /** Older than {@code completedRetentionSeconds} and consumed by every group. */
    COMPLETED,
    /** Waiting for longer than {@code maxWaitTimeSeconds}. */
    EVICTION;

    /** The word that SQL has for it. */
    String kind() {
        return name().toLowerCase(Locale.ROOT);
    }
}
