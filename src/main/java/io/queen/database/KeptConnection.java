package io.queen.database;

import io.queen.runtime.Backoff;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * A connection beside those for messages that is always open when it can be. It is opened when every event loop has one
 * for messages, and closed when PostgreSQL has too few for them. Every second it is asked for an answer, because a
 * connection on which nothing is sent does not notice that the other end is gone; one that gets none is given up. A lost
 * one is opened again. After the start it is touched by its own event loop only.
 *
 * <pre>
 *   opening ──▶ open ── no answer in time ──▶ given up ── the user has looked into it ──┐
 *     ▲  │        └──── closed ─────────────────────────────────────────────────────────┤
 *     │  └─ refused ────────────────────────────────────────────────────────────────────┤
 *     └────────────────────────────── pause ────────────────────────────────────────────┘
 * </pre>
 */
public final class KeptConnection {
    private static final int LOCK_TIMEOUT_MS = 1000;
    private static final long BEAT_MS = 1000;
    private static final long LIMIT_MS = 3000;
    private static final Backoff PAUSES = Backoff.doubling(100, 1000);
    /** PostgreSQL logs every connection that it refuses. */
    private static final long NO_MORE_CONNECTIONS_MS = 10_000;

    /** What the connection is for. */
    public interface User {
        /** Prepares a fresh connection; it counts as open when that is done. */
        default Uni<Void> opened(Connection connection) {
            return Uni.createFrom().voidItem();
        }

        /** A connection could not be opened or prepared. */
        void refused(Throwable failure);

        /** The connection was given up because no answer came; the next is opened when this is done. */
        default Uni<Void> unanswered() {
            return Uni.createFrom().voidItem();
        }
    }

    private final Database database;
    private final Vertx vertx;
    private final String name;
    private final User user;
    private final Context own;
    private volatile Connection connection;
    private volatile boolean stopped;
    private boolean unanswered;
    private int refusals;

    /** @param name by which it is known in {@code pg_stat_activity} */
    public KeptConnection(Database database, Vertx vertx, String name, User user) {
        this.database = database;
        this.vertx = vertx;
        this.name = name;
        this.user = user;
        this.own = vertx.getOrCreateContext();
    }

    /** Called once. */
    public void start() {
        database.onYield(this::closeCurrent);
        own.runOnContext(ignored -> open());
    }

    public void stop() {
        stopped = true;
        closeCurrent();
    }

    public boolean isOpen() {
        return connection != null;
    }

    private void closeCurrent() {
        own.runOnContext(ignored -> {
            if (connection != null) {
                connection.close();
            }
        });
    }

    private void open() {
        if (!stopped) {
            database.openAfterMessages(name, LOCK_TIMEOUT_MS)
                    .flatMap(fresh ->
                            user.opened(fresh).replaceWith(fresh).onFailure().invoke(fresh::abandon))
                    .subscribe()
                    .with(this::opened, this::refused);
        }
    }

    private void opened(Connection fresh) {
        if (stopped) {
            fresh.close();
            return;
        }
        refusals = 0;
        connection = fresh;
        fresh.onClose(this::closed);
        beatLater(fresh);
    }

    private void refused(Throwable failure) {
        refusals++;
        user.refused(failure);
        openIn(DatabaseFailure.isConnectionLimit(failure) ? NO_MORE_CONNECTIONS_MS : PAUSES.millisAfter(refusals));
    }

    private void beatLater(Connection asked) {
        vertx.setTimer(BEAT_MS, ignored -> beat(asked));
    }

    private void beat(Connection asked) {
        if (asked == connection) {
            asked.ping(LIMIT_MS).subscribe().with(done -> beatLater(asked), failure -> {
                unanswered = DriverConnection.isSilence(failure);
                asked.abandon();
            });
        }
    }

    private void closed() {
        connection = null;
        Uni<Void> looked = unanswered ? user.unanswered() : Uni.createFrom().voidItem();
        unanswered = false;
        looked.subscribe().with(done -> openIn(PAUSES.millisAfter(0)), failure -> openIn(PAUSES.millisAfter(0)));
    }

    private void openIn(long millis) {
        vertx.setTimer(millis, ignored -> open());
    }
}
