package io.queen.store;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.function.Supplier;

/**
 * A connection to PostgreSQL as the rest of the program knows it: something to hand to the methods of the store. It may
 * stand for one connection, bound to the event loop that opened it, or for the general pool.
 */
public final class Connection {
    private final SqlClient sql;
    private final PgConnection single;

    private Connection(SqlClient sql, PgConnection single) {
        this.sql = sql;
        this.single = single;
    }

    static Connection ofPool(SqlClient pool) {
        return new Connection(pool, null);
    }

    /** Opened on the event loop of the caller, and answered there. */
    static Uni<Connection> open(Vertx vertx, PgConnectOptions options) {
        return Uni.createFrom()
                .emitter(emitter -> PgConnection.connect(vertx, options)
                        .onSuccess(opened -> emitter.complete(of(opened)))
                        .onFailure(emitter::fail));
    }

    private static Connection of(PgConnection opened) {
        // Without a handler the driver prints a stack trace; who uses the connection learns of the failure anyway.
        opened.exceptionHandler(failure -> {});
        return new Connection(SqlConnection.newInstance(opened), opened);
    }

    SqlClient sql() {
        return sql;
    }

    /** Runs when the connection is closed, by whomever. */
    public void onClose(Runnable action) {
        single.closeHandler(ignored -> action.run());
    }

    public void close() {
        single.close();
    }

    /** Runs the statements as one transaction. When they fail it is undone. */
    public <T> Uni<T> inTransaction(Supplier<Uni<T>> statements) {
        return ((SqlConnection) sql)
                .begin()
                .flatMap(transaction -> statements
                        .get()
                        .onFailure()
                        .call(() -> transaction.rollback().onFailure().recoverWithNull())
                        .flatMap(result -> transaction.commit().replaceWith(result)));
    }
}
