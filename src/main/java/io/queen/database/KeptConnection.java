package io.queen.database;

import io.queen.runtime.Backoff;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * A connection beside those for messages that is always open when it can be. It is opened when every event loop has one
 * for messages, and closed when PostgreSQL has too few for them. A heartbeat asks it again and again: one that gets no
 * answer is given up. A lost one is opened again. After the start it is touched by its own event loop only.
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

    /** How often it is asked, and how long an answer may take. */
    public record Heartbeat(long everyMillis, long limitMillis) {}

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
    private final Heartbeat heartbeat;
    private final Backoff pauses;
    private final User user;
    private final Context own;
    private volatile Connection connection;
    private volatile boolean stopped;
    private boolean unanswered;
    private int refusals;

    /** @param name by which it is known in {@code pg_stat_activity} */
    public KeptConnection(Database database, Vertx vertx, String name, Heartbeat heartbeat, Backoff pauses, User user) {
        this.database = database;
        this.vertx = vertx;
        this.name = name;
        this.heartbeat = heartbeat;
        this.pauses = pauses;
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
        openLater();
    }

    private void beatLater(Connection asked) {
        vertx.setTimer(heartbeat.everyMillis(), ignored -> beat(asked));
    }

    private void beat(Connection asked) {
        if (asked == connection) {
            asked.ping(heartbeat.limitMillis()).subscribe().with(done -> beatLater(asked), failure -> {
                unanswered = DriverConnection.isSilence(failure);
                asked.abandon();
            });
        }
    }

    private void closed() {
        connection = null;
        Uni<Void> looked = unanswered ? user.unanswered() : Uni.createFrom().voidItem();
        unanswered = false;
        looked.subscribe().with(done -> openLater(), failure -> openLater());
    }

    private void openLater() {
        vertx.setTimer(pauses.millisAfter(refusals), ignored -> open());
    }
}
