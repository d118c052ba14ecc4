package io.queen.pop;

import java.util.Locale;
import java.util.UUID;

/**
 * What {@code pop_sm_take} made of one candidate.
 *
 * @param firstSeq of a claim: the messages after it, up to {@code lastSeq}
 * @param dueMillis until it is worth another look, of a claim until its lease expires; null when nobody knows
 * @param leaseId of a claim; null when it was acked at once
 * @param more messages are left behind a claim
 */
public record LeaseOutcome(
        Kind kind,
        String queue,
        String partition,
        Long firstSeq,
        Long lastSeq,
        Long dueMillis,
        UUID leaseId,
        int retryCount,
        boolean more) {

    /** As the function spells them, see there. */
    public enum Kind {
        CLAIMED,
        FREE,
        LEASED,
        DELAYED,
        WINDOW,
        LOCKED,
        EMPTY,
        GONE;

        static Kind of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }
}
