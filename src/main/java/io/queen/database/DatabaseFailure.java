package io.queen.database;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.VertxInternals;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * What a failure of the driver means to a client: the one place that knows, by SQLSTATE and type, never by text. What it
 * does not know stays as it is and becomes a 500.
 */
public final class DatabaseFailure {
    /** The backend was terminated, the server is going down or coming up, or it has become a standby. */
    private static final Set<String> LOST = Set.of("57P01", "57P02", "57P03", "57P05", "25006");

    private static final String TOO_MANY_CONNECTIONS = "53300";
    /** Connection failures, and a server that shuts down, starts up, or has become a standby. */
    private static final Set<String> AWAY = Set.of(
            "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "3D000", "28000", "28P01", TOO_MANY_CONNECTIONS);
    /** Statement or lock timeout, deadlock, serialisation failure, out of memory or disk: later may be better. */
    private static final Set<String> BUSY = Set.of("57014", "55P03", "40P01", "40001", "53100", "53200", "53400");

    /** Data exceptions, constraint violations, limits, and our own: the same data would be refused again. */
    private static final Set<String> BAD_DATA = Set.of("22", "23", "QU", "54");

    private DatabaseFailure() {}

    /** The SQLSTATE that PostgreSQL gave; empty when it gave none. */
    public static String state(Throwable failure) {
        return failure instanceof PgException answer ? String.valueOf(answer.getSqlState()) : "";
    }

    /** Whether the connection is gone: what was sent on it may have been done or not. */
    public static boolean isConnectionLoss(Throwable failure) {
        if (failure instanceof PgException) {
            return LOST.contains(state(failure)) || state(failure).startsWith("08");
        }
        return failure instanceof IOException || failure instanceof VertxException;
    }

    /** Whether PostgreSQL has as many connections as it, the database or the role may have. */
    public static boolean isConnectionLimit(Throwable failure) {
        return TOO_MANY_CONNECTIONS.equals(state(failure));
    }

    /** Whether PostgreSQL refused the data itself. */
    public static boolean isBadData(Throwable failure) {
        String state = state(failure);
        return BAD_DATA.contains(state.substring(0, Math.min(2, state.length())));
    }

    /** Whether one of our own functions (SQLSTATE class QU) refused what it was asked for. */
    public static boolean isRefusal(Throwable failure) {
        return state(failure).startsWith("QU");
    }

    /** The sentence of a refusal; it is for the client. */
    public static String refusal(Throwable failure) {
        return ((PgException) failure).getErrorMessage();
    }

    /** What the failure means to a client. */
    public static Throwable translate(Throwable failure) {
        if (failure instanceof PgException answer) {
            return ofState(answer);
        }
        // How the client says: can't connect, lost the connection, no connection in time, no answer in time.
        boolean away = failure instanceof IOException
                || failure instanceof VertxException
                || VertxInternals.isText(failure)
                || failure instanceof TimeoutException
                || failure instanceof io.smallrye.mutiny.TimeoutException;
        return away ? unavailable(failure) : failure;
    }

    private static Throwable ofState(PgException answer) {
        String state = String.valueOf(answer.getSqlState());
        if (AWAY.contains(state) || state.startsWith("08")) {
            return unavailable(answer);
        }
        return BUSY.contains(state)
                ? new QueenException(ErrorCode.OVERLOADED, "PostgreSQL could not do this in time", answer)
                : answer;
    }

    private static QueenException unavailable(Throwable cause) {
        return new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "PostgreSQL can't be reached", cause);
    }
}
