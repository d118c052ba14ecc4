package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PoppedMessage;
import io.queen.pop.ready.ReadyPartitions;
import java.util.UUID;

/** A partition that a pop tries, and what became of it. */
final class Candidate {
    /** As {@code pop_sm_take} spells them, see there; null while it was not tried. */
    enum Outcome {
        CLAIMED,
        FREE,
        LEASED,
        DELAYED,
        WINDOW,
        LOCKED,
        EMPTY,
        GONE
    }

    private final PopAttempt attempt;
    private final UUID partitionId;
    private final ReadyPartitions source;
    private Outcome outcome;
    private long dueMillis = -1;
    private Claim claim;
    private boolean more;
    private long lastRead;
    private boolean reported;

    /** @param source the ready partitions it was taken from; null when the pop names the partition */
    Candidate(PopAttempt attempt, UUID partitionId, ReadyPartitions source) {
        this.attempt = attempt;
        this.partitionId = partitionId;
        this.source = source;
    }

    PopAttempt attempt() {
        return attempt;
    }

    PopRequest request() {
        return attempt.request();
    }

    UUID partitionId() {
        return partitionId;
    }

    /**
     * It was claimed.
     *
     * @param leaseMillis until the lease expires
     * @param left whether messages are left behind the claim
     */
    void claimed(Claim taken, long leaseMillis, boolean left) {
        outcome = Outcome.CLAIMED;
        claim = taken;
        dueMillis = leaseMillis;
        more = left;
    }

    /** It was not to be had, and is worth another look after so many milliseconds; -1 when that is not known. */
    void refused(Outcome why, long millis) {
        outcome = why;
        dueMillis = millis;
    }

    /** A message of the claim, in sequence order. */
    void read(PoppedMessage message) {
        lastRead = message.seq();
        attempt.add(message);
    }

    /** Null when it was not claimed. */
    Claim claim() {
        return claim;
    }

    long dueMillis() {
        return dueMillis;
    }

    boolean isGone() {
        return outcome == Outcome.GONE;
    }

    /** Whether it was not decided because others were at it right then. */
    boolean isContested() {
        return outcome == null || outcome == Outcome.LOCKED;
    }

    /** The last message that was read of the claim; 0 when there was none. */
    long lastRead() {
        return lastRead;
    }

    /** Whether a lease was taken for more than was read. */
    boolean isCut() {
        return claim != null && claim.leaseId() != null && lastRead < claim.lastSeq();
    }

    /** It was not tried, or its fate is not known: other pops may have it. */
    void putBack() {
        if (source != null && !reported) {
            reported = true;
            source.putBack(partitionId);
        }
    }

    /** Tells the ready partitions what became of the one they offered. */
    void report(long now) {
        if (source == null) {
            return;
        }
        reported = true;
        switch (outcome) {
            case FREE -> source.putBack(partitionId);
            case EMPTY, GONE -> source.forget(partitionId);
            case LOCKED -> source.defer(partitionId, 1, now);
            case LEASED, DELAYED, WINDOW -> source.defer(partitionId, dueMillis, now);
            case CLAIMED -> {
                if (claim.leaseId() != null) {
                    source.leased(partitionId, claim.leaseId(), dueMillis, now);
                } else if (more) {
                    source.served(partitionId);
                } else {
                    source.forget(partitionId);
                }
            }
        }
    }
}
