package io.queen.database;

import io.vertx.pgclient.PgException;

/** The SQLSTATEs of our own functions: class QU. */
public final class StoreError {
    private static final String CLASS = "QU";

    private StoreError() {}

    /** A function refused what it was asked for; its message is for the client. */
    public static boolean isRefusal(Throwable failure) {
        return failure instanceof PgException answer
                && answer.getSqlState() != null
                && answer.getSqlState().startsWith(CLASS);
    }

    /** The sentence of a refusal. */
    public static String message(Throwable failure) {
        return ((PgException) failure).getErrorMessage();
    }
}
