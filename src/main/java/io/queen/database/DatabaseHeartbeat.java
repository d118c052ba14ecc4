package io.queen.database;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Notices that PostgreSQL has fallen silent: frozen, or gone with its machine, without closing a connection. A connection
 * of its own is asked every second; when no answer comes in time and a fresh one gets none either, all connections are
 * given up. Without this, those who wait would wait as long as TCP does. Touched by its own event loop only.
 *
 * <pre>
 *   opening ──▶ beating ── no answer ──▶ knocking ── no answer ──▶ silence: all connections are given up ──▶ opening
 *      ▲           │                         │
 *      └── closed ─┴──────── answered ───────┘
 * </pre>
 */
@Singleton
final class DatabaseHeartbeat {
    private static final Logger LOG = Logger.getLogger(DatabaseHeartbeat.class);
    private static final int LOCK_TIMEOUT_MS = 1000;
    private static final long BEAT_MS = 1000;
    private static final long LIMIT_MS = 3000;
    private static final long KNOCK_MS = 2000;

    private final Database database;
    private final Schema schema;
    private final Vertx vertx;
    private Context own;
    private Connection connection;
    private volatile boolean stopped;

    DatabaseHeartbeat(Database database, Schema schema, Vertx vertx) {
        this.database = database;
        this.schema = schema;
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent event) {
        own = vertx.getOrCreateContext();
        database.onYield(() -> own.runOnContext(ignored -> giveWay()));
        schema.whenReady().subscribe().with(ready -> own.runOnContext(ignored -> open()));
    }

    void stop(@Observes ShutdownEvent event) {
        stopped = true;
        own.runOnContext(ignored -> giveWay());
    }

    private void open() {
        if (!stopped) {
            database.openAfterMessages("queen-pulse", LOCK_TIMEOUT_MS)
                    .subscribe()
                    .with(this::opened, this::refused);
        }
    }

    /** The next beat fails, and it waits for its turn. */
    private void giveWay() {
        if (connection != null) {
            connection.close();
        }
    }

    private void opened(Connection fresh) {
        connection = fresh;
        beatLater();
    }

    /** Others say so too; but who is not asked anything at the moment would not notice. */
    private void refused(Throwable failure) {
        if (Connection.isSilence(failure) && database.isThere()) {
            database.silent();
        }
        vertx.setTimer(BEAT_MS, ignored -> open());
    }

    private void beatLater() {
        vertx.setTimer(BEAT_MS, ignored -> beat());
    }

    private void beat() {
        if (stopped) {
            return;
        }
        connection.ping(LIMIT_MS).subscribe().with(done -> beatLater(), failure -> {
            connection.abandon();
            if (Connection.isSilence(failure)) {
                LOG.debug("No answer from PostgreSQL, knocking");
                database.knock(KNOCK_MS).subscribe().with(answered -> open(), silence -> silent());
            } else {
                open();
            }
        });
    }

    private void silent() {
        database.silent();
        vertx.setTimer(BEAT_MS, ignored -> open());
    }
}
