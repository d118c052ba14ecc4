package io.queen.message;

import java.time.OffsetDateTime;

/** What became of a renewal; {@code expiresAt} is the earliest end among the partitions of the lease. */
public record RenewalResult(Outcome outcome, OffsetDateTime expiresAt) {

    /** Whether the lease lives on. */
    public enum Outcome {
        RENEWED,
        NOT_FOUND,
        EXPIRED
    }
}
