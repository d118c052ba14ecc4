package io.queen.sidecar;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.util.Set;

/** What to do with a list whose call failed. A pure function of the failure, the size of the list and its history. */
enum Recovery {
    /** The connection died: the list may have been applied. Send it again, deduplication makes that safe. */
    RESEND,
    /** PostgreSQL rolled it back for a reason that passes. Send it again. */
    RETRY,
    /** One of the requests is bad: halve the list until that one stands alone. */
    SPLIT,
    /** Tell the caller. */
    FAIL;

    private static final int MAX_ATTEMPTS = 5;
    /** Deadlock and serialisation failure. */
    private static final Set<String> PASSING = Set.of("40P01", "40001");
    /** The backend was terminated, or the server is going down or coming up. */
    private static final Set<String> CONNECTION_LOST = Set.of("57P01", "57P02", "57P03", "57P05");
    /** Data exceptions, constraint violations, and our own. */
    private static final Set<String> BAD_DATA = Set.of("22", "23", "QU", "54");

    static Recovery of(Throwable failure, int size, int attempts) {
        Recovery first = byKind(failure);
        if (first == SPLIT) {
            return size > 1 ? SPLIT : FAIL;
        }
        return attempts + 1 >= MAX_ATTEMPTS ? FAIL : first;
    }

    static boolean connectionLost(Throwable failure) {
        return byKind(failure) == RESEND;
    }

    private static Recovery byKind(Throwable failure) {
        if (failure instanceof PgException answer) {
            String state = String.valueOf(answer.getSqlState());
            if (PASSING.contains(state)) {
                return RETRY;
            }
            if (CONNECTION_LOST.contains(state) || state.startsWith("08")) {
                return RESEND;
            }
            return BAD_DATA.contains(state.substring(0, Math.min(2, state.length()))) ? SPLIT : FAIL;
        }
        return failure instanceof IOException || failure instanceof VertxException ? RESEND : FAIL;
    }
}
