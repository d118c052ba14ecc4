package io.queen.sidecar;

import io.queen.store.DatabaseFailure;
import java.util.Set;

/** What to do with a list whose call failed. A pure function of the failure, the size of the list and its history. */
enum Recovery {
    /** The connection died: the list may have been applied. Send it again, deduplication makes that safe. */
    RESEND,
    /** PostgreSQL rolled it back for a reason that passes. Send it again. */
    RETRY,
    /** Somebody outside holds a partition: each request goes on alone, so that only those for it wait. */
    ISOLATE,
    /** One of the requests is bad: halve the list until that one stands alone. */
    SPLIT,
    /** Tell the caller. */
    FAIL;

    private static final int MAX_ATTEMPTS = 5;
    /** Each waits for the lock as long as a sidecar's connection does. */
    private static final int MAX_LOCK_ATTEMPTS = 10;

    private static final String LOCK_TIMEOUT = "55P03";
    /** Deadlock and serialisation failure. */
    private static final Set<String> PASSING = Set.of("40P01", "40001");

    static Recovery of(Throwable failure, int size, int attempts) {
        Recovery first = byKind(failure);
        if (first == SPLIT) {
            return size > 1 ? SPLIT : FAIL;
        }
        if (first == ISOLATE && size == 1) {
            return attempts + 1 >= MAX_LOCK_ATTEMPTS ? FAIL : RETRY;
        }
        return attempts + 1 >= MAX_ATTEMPTS ? FAIL : first;
    }

    static boolean connectionLost(Throwable failure) {
        return byKind(failure) == RESEND;
    }

    private static Recovery byKind(Throwable failure) {
        String state = DatabaseFailure.state(failure);
        if (DatabaseFailure.isConnectionLoss(failure)) {
            return RESEND;
        }
        if (PASSING.contains(state)) {
            return RETRY;
        }
        if (LOCK_TIMEOUT.equals(state)) {
            return ISOLATE;
        }
        return DatabaseFailure.isBadData(failure) ? SPLIT : FAIL;
    }
}
