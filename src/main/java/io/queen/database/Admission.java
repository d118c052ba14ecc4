package io.queen.database;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;

/**
 * Whether the database may be used: not before its schema is known to be one that this server can work with. Until then
 * only the migration gets a connection, so nothing can be written.
 *
 * <pre>
 *   unknown ──▶ admitted         the schema is in place
 *      │           ▲
 *      └──▶ refused┘             it is there, and not for this server
 * </pre>
 *
 * <p>While it is unknown the database counts as away, and pushes go to the file buffer: it will be there soon. A database
 * that refuses this server may never take what this server would keep for it, so then a push is an error that its client
 * can take to another server.
 */
final class Admission {
    private volatile QueenException closed =
            new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "PostgreSQL can't be reached");

    /** Why the database may not be used; null when it may. */
    QueenException closed() {
        return closed;
    }

    void admit() {
        closed = null;
    }

    /** The reason names hosts and users, and is for the log. */
    void refuse() {
        closed = new QueenException(
                ErrorCode.SCHEMA_REFUSED,
                "The schema in the database is not one that this server can use, the server's log tells more");
    }
}
