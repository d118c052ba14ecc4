package io.queen.retention;

/** Why messages are removed by age. */
public enum Expiry {
    /** Older than {@code retentionSeconds}, consumed or not. */
    RETENTION("retention"),
    /** Older than {@code completedRetentionSeconds} and consumed by every group. */
    COMPLETED("completed"),
    /** Waiting for longer than {@code maxWaitTimeSeconds}. */
    EVICTION("eviction");

    private final String kind;

    Expiry(String kind) {
        this.kind = kind;
    }

    /** The word that SQL has for it. */
    public String kind() {
        return kind;
    }
}
