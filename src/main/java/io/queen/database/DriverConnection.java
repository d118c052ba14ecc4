package io.queen.database;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A connection of the driver. */
final class DriverConnection implements Connection {
    private final Vertx vertx;
    private final PgConnection connection;
    private final SqlConnection sql;

    private DriverConnection(Vertx vertx, PgConnection connection) {
        this.vertx = vertx;
        this.connection = connection;
        this.sql = SqlConnection.newInstance(connection);
        // Without a handler the driver prints a stack trace; the user of the connection learns of the failure anyway.
        connection.exceptionHandler(failure -> {});
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
        return within(vertx, limitMillis, () -> PgConnection.connect(vertx, options), PgConnection::close)
                .map(opened -> new DriverConnection(vertx, opened));
    }

    /** The answer, or a failure when none comes in time; {@code late} gets one that comes after that. */
    private static <T> Uni<T> within(Vertx vertx, long limitMillis, Supplier<Future<T>> question, Consumer<T> late) {
        return Uni.createFrom().emitter(emitter -> {
            long timer = vertx.setTimer(limitMillis, ignored -> emitter.fail(new Silence(limitMillis)));
            question.get()
                    .onSuccess(answer -> {
                        if (vertx.cancelTimer(timer)) {
                            emitter.complete(answer);
                        } else {
                            late.accept(answer);
                        }
                    })
                    .onFailure(failure -> {
                        vertx.cancelTimer(timer);
                        emitter.fail(failure);
                    });
        });
    }

    @Override
    public Uni<RowSet<Row>> query(String statement, Tuple arguments) {
        return sql.preparedQuery(statement).execute(arguments);
    }

    @Override
    public void onClose(Runnable action) {
        connection.closeHandler(ignored -> action.run());
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public void abandon() {
        ForcedClose.close(connection);
    }

    @Override
    public Uni<Void> ping(long limitMillis) {
        return within(vertx, limitMillis, () -> connection.query("select 1").execute(), late -> {})
                .replaceWithVoid();
    }

    @Override
    public Uni<Void> listen(String channel, Consumer<String> handler) {
        connection.notificationHandler(notification -> handler.accept(notification.getPayload()));
        return sql.query("listen " + channel).execute().replaceWithVoid();
    }
}
