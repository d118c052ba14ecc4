package io.queen.database;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Whether the database may be used, and whether it can be reached. It may not be used before its schema is known to be
 * one that this server can work with: until then only the migration gets a connection, so nothing can be written.
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
final class Availability {
    private static final Logger LOG = Logger.getLogger(Database.class);

    private final AtomicBoolean away = new AtomicBoolean();
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

    boolean away() {
        return away.get();
    }

    /** Called for each connection that can't be opened; logged once. */
    void away(Login login, Throwable failure) {
        if (away.compareAndSet(false, true)) {
            LOG.warnf(
                    "PostgreSQL can't be reached at %s as %s: %s", login.address(), login.user(), failure.getMessage());
        }
    }

    /** Called for each connection that was opened; logged once. */
    void back(Login login) {
        if (away.compareAndSet(true, false)) {
            LOG.infof("PostgreSQL is back at %s", login.address());
        }
    }
}
