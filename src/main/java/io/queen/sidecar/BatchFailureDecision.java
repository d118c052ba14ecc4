package io.queen.sidecar;

import io.queen.database.DatabaseFailure;
import java.util.Set;

/** What to do with a list whose call failed. A pure function of the failure, the size of the list and its history. */
enum BatchFailureDecision {
    /** The connection died: the list may have been applied. Send it again, deduplication makes that safe. */
    RESEND,
    /** PostgreSQL rolled it back for a reason that passes. Send it again. */
    RETRY,
    /** Somebody outside holds a lock: those that need it wait for it aside, the others go on. See {@link LockWatch}. */
    SET_ASIDE,
    /** One of the requests is bad: halve the list until that one stands alone. */
    SPLIT,
    /** Tell the caller. */
    FAIL;

    private static final int MAX_ATTEMPTS = 5;

    private static final String LOCK_TIMEOUT = "55P03";
    /** Deadlock and serialisation failure. */
    private static final Set<String> PASSING = Set.of("40P01", "40001");

    static BatchFailureDecision of(Throwable failure, int size, int attempts) {
        BatchFailureDecision first = byKind(failure);
        if (first == SPLIT) {
            return size > 1 ? SPLIT : FAIL;
        }
        if (first == SET_ASIDE) {
            return SET_ASIDE;
        }
        return attempts + 1 >= MAX_ATTEMPTS ? FAIL : first;
    }

    /**
     * For a list that could not get a lock, when nothing that its requests are known to lock is held: the lock has gone
     * meanwhile, or it is one of another kind, on a table say. Halved until the request that meets it stands alone.
     */
    static BatchFailureDecision ofUnknownLock(int size, boolean outOfPatience) {
        if (size > 1) {
            return SPLIT;
        }
        return outOfPatience ? FAIL : SET_ASIDE;
    }

    static boolean connectionLost(Throwable failure) {
        return byKind(failure) == RESEND;
    }

    private static BatchFailureDecision byKind(Throwable failure) {
        String state = DatabaseFailure.state(failure);
        if (DatabaseFailure.isConnectionLoss(failure)) {
            return RESEND;
        }
        if (PASSING.contains(state)) {
            return RETRY;
        }
        if (LOCK_TIMEOUT.equals(state)) {
            return SET_ASIDE;
        }
        return DatabaseFailure.isBadData(failure) ? SPLIT : FAIL;
    }
}
