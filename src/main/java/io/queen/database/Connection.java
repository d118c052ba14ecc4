package io.queen.database;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A connection to PostgreSQL as the rest of the program knows it: something to hand to the methods of the store. It may
 * stand for one connection, bound to the event loop that opened it, or for the general pool.
 */
public final class Connection {
    private final Supplier<SqlClient> sql;
    private final PgConnection single;
    private final Vertx vertx;

    private Connection(Supplier<SqlClient> sql, PgConnection single, Vertx vertx) {
        this.sql = sql;
        this.single = single;
        this.vertx = vertx;
    }

    /** The pool may be another one at each use. */
    static Connection ofPool(Supplier<SqlClient> pool) {
        return new Connection(pool, null, null);
    }

    /** PostgreSQL did not answer in time. */
    private static final class Silence extends IOException {
        Silence(long millis) {
            super("no answer within " + millis + " ms");
        }
    }

    static boolean isSilence(Throwable failure) {
        return failure instanceof Silence;
    }

    /**
     * Opened on the event loop of the caller, and answered there. The driver's own limit ends with the TCP connection; a
     * PostgreSQL that is frozen accepts that one and never says more.
     */
    static Uni<Connection> open(Vertx vertx, PgConnectOptions options, long limitMillis) {
        return Uni.createFrom().emitter(emitter -> {
            long timer = vertx.setTimer(limitMillis, ignored -> emitter.fail(new Silence(limitMillis)));
            PgConnection.connect(vertx, options)
                    .onSuccess(opened -> {
                        if (vertx.cancelTimer(timer)) {
                            emitter.complete(of(opened, vertx));
                        } else {
                            opened.close();
                        }
                    })
                    .onFailure(failure -> {
                        vertx.cancelTimer(timer);
                        emitter.fail(failure);
                    });
        });
    }

    private static Connection of(PgConnection opened, Vertx vertx) {
        // Without a handler the driver prints a stack trace; who uses the connection learns of the failure anyway.
        opened.exceptionHandler(failure -> {});
        SqlConnection connection = SqlConnection.newInstance(opened);
        return new Connection(() -> connection, opened, vertx);
    }

    public SqlClient sql() {
        return sql.get();
    }

    /** Runs when the connection is closed, by whomever. */
    public void onClose(Runnable action) {
        single.closeHandler(ignored -> action.run());
    }

    /** Ends it when all that was sent is answered. */
    public void close() {
        single.close();
    }

    /** Ends it now: what waits for an answer fails. */
    public void abandon() {
        ForcedClose.close(single);
    }

    /** Done when PostgreSQL has answered; fails when it has not within that time. */
    public Uni<Void> ping(long limitMillis) {
        return Uni.createFrom().emitter(emitter -> {
            long timer = vertx.setTimer(limitMillis, ignored -> emitter.fail(new Silence(limitMillis)));
            single.query("select 1")
                    .execute()
                    .onSuccess(ignored -> emitter.complete(null))
                    .onFailure(emitter::fail)
                    .onComplete(ignored -> vertx.cancelTimer(timer));
        });
    }

    /** Whether this is a primary: a standby answers, but can't store. */
    Uni<Boolean> isPrimary() {
        return sql().query("select not pg_is_in_recovery()")
                .execute()
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    public Uni<Void> listen(String channel, Consumer<String> handler) {
        single.notificationHandler(notification -> handler.accept(notification.getPayload()));
        return sql().query("listen " + channel).execute().replaceWithVoid();
    }
}
