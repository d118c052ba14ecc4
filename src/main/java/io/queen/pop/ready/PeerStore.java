package io.queen.pop.ready;

import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.database.DatabaseFailure;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** LISTEN and NOTIFY: how the servers of one database tell each other what happened. */
@Singleton
public final class PeerStore {
    private static final String CHANNEL = "queen_signals";
    /** By this name servers see each other in {@code pg_stat_activity}. */
    private static final String LISTENER = "queen-listener";

    private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', $1)";
    private static final String LISTENERS = "select count(*) from pg_stat_activity a" + " where a.application_name = '"
            + LISTENER + "' and a.datname = current_database()";
    private static final int LOCK_TIMEOUT_MS = 1000;
    private static final long FIRST_DELAY_MS = 100;
    private static final long MAX_DELAY_MS = 5000;
    /** A listener says nothing by itself, and would not notice that the other end is gone. */
    private static final long PING_EVERY_MS = 2000;

    private static final long PING_LIMIT_MS = 4000;

    private final Database database;
    private final Vertx vertx;
    private final Complaints complaints;
    private volatile boolean closed;
    private volatile boolean listening;
    private volatile Context own;
    private Connection current;

    PeerStore(Database database, Vertx vertx, Complaints complaints) {
        this.complaints = complaints;
        this.database = database;
        this.vertx = vertx;
    }

    /** Hears what servers say, this one too. A lost connection is opened again; what was said meanwhile is not heard. */
    public void listen(Consumer<String> handler) {
        own = vertx.getOrCreateContext();
        database.onYield(() -> own.runOnContext(ignored -> giveWay()));
        own.runOnContext(ignored -> open(handler, FIRST_DELAY_MS));
    }

    /** Whether the connection is there that hears. */
    public boolean listening() {
        return listening;
    }

    public void close() {
        closed = true;
        if (own != null) {
            own.runOnContext(ignored -> giveWay());
        }
    }

    private void open(Consumer<String> handler, long delay) {
        if (!closed) {
            database.openAfterMessages(LISTENER, LOCK_TIMEOUT_MS)
                    .flatMap(opened -> opened.listen(CHANNEL, handler)
                            .replaceWith(opened)
                            .onFailure()
                            .invoke(opened::abandon))
                    .subscribe()
                    .with(opened -> opened(opened, handler), failure -> {
                        complaints.failed("Others are not heard", failure);
                        later(handler, delay);
                    });
        }
    }

    private void giveWay() {
        if (listening) {
            current.close();
        }
    }

    private void opened(Connection connection, Consumer<String> handler) {
        current = connection;
        listening = true;
        connection.onClose(() -> {
            listening = false;
            later(handler, FIRST_DELAY_MS);
        });
        pingLater(connection);
    }

    private void later(Consumer<String> handler, long delay) {
        if (!closed) {
            vertx.setTimer(delay, ignored -> open(handler, Math.min(2 * delay, MAX_DELAY_MS)));
        }
    }

    private void pingLater(Connection connection) {
        vertx.setTimer(PING_EVERY_MS, ignored -> ping(connection));
    }

    private void ping(Connection connection) {
        if (closed) {
            connection.close();
            return;
        }
        connection.ping(PING_LIMIT_MS).subscribe().with(done -> pingLater(connection), failure -> connection.abandon());
    }

    public Uni<Void> say(String text) {
        return database.pool()
                .preparedQuery(NOTIFY)
                .execute(Tuple.of(text))
                .replaceWithVoid()
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** How many servers listen, this one among them. */
    public Uni<Long> listeners() {
        return database.pool()
                .query(LISTENERS)
                .execute()
                .map(rows -> rows.iterator().next().getLong(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
