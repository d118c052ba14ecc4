package io.queen.sidecar;

import io.queen.database.DatabaseFailure;
import java.util.Set;

/** What to do with a batch whose call failed: a pure function of the failure, the size of the batch and its history. */
enum BatchFailureDecision {
    /** The connection died: the batch may have been applied. Send it again, deduplication makes that safe. */
    RESEND,
    /** PostgreSQL rolled it back for a reason that passes. Send it again. */
    RETRY,
    /** Another transaction holds a lock: requests that need it wait for it aside, the others go on. */
    WAIT_FOR_LOCK,
    /** One of the requests is bad: halve the batch until that one stands alone. */
    SPLIT,
    /** Tell the callers. */
    FAIL;

    private static final int MAX_ATTEMPTS = 5;

    private static final String LOCK_TIMEOUT = "55P03";
    /** Deadlock and serialisation failure. */
    private static final Set<String> PASSING = Set.of("40P01", "40001");

    static BatchFailureDecision of(Throwable failure, int size, int attempts) {
        if (DatabaseFailure.isConnectionLoss(failure)) {
            return attempts + 1 < MAX_ATTEMPTS ? RESEND : FAIL;
        }
        String state = DatabaseFailure.state(failure);
        if (PASSING.contains(state)) {
            return attempts + 1 < MAX_ATTEMPTS ? RETRY : FAIL;
        }
        if (LOCK_TIMEOUT.equals(state)) {
            return WAIT_FOR_LOCK;
        }
        return DatabaseFailure.isBadData(failure) && size > 1 ? SPLIT : FAIL;
    }

    /**
     * For a batch that could not get a lock, when nothing that its requests are known to lock is held: the lock has gone
     * meanwhile, or it is one of another kind, on a table say. Halved until the request that meets it stands alone.
     */
    static BatchFailureDecision ofUnknownLock(int size, boolean mayWait) {
        if (size > 1) {
            return SPLIT;
        }
        return mayWait ? WAIT_FOR_LOCK : FAIL;
    }
}
