package io.queen.database;

import io.queen.config.QueenConfig;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The pool for everything but messages. A connection whose other end has gone without a word would wait for an answer for
 * hours, and so would what runs on it: the pool is replaced as a whole when PostgreSQL has fallen silent, and when a
 * statement has no answer long after PostgreSQL should have ended it.
 */
final class GeneralPool {
    private static final Logger LOG = Logger.getLogger(GeneralPool.class);
    private static final String NAME = "general";
    private static final Duration TO_CLOSE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final QueenConfig.Database config;
    private final int size;
    private final Supplier<Future<SqlConnectOptions>> options;
    private final Duration limit;
    private volatile Generation now;

    GeneralPool(Vertx vertx, QueenConfig.Database config, int size, Supplier<Future<SqlConnectOptions>> options) {
        this.size = size;
        this.vertx = vertx;
        this.config = config;
        this.options = options;
        this.limit = Duration.ofMillis(2L * config.statementTimeout() + 2L * config.connectionTimeout());
        this.now = generation(1);
    }

    /** One pool, and its open connections as long as something else refers to them. */
    private record Generation(int number, Pool pool, Set<SqlConnection> open) {}

    Pool pool() {
        return now.pool();
    }

    Uni<RowSet<Row>> query(String sql, Tuple arguments) {
        Generation asked = now;
        Uni<RowSet<Row>> answer = asked.pool().preparedQuery(sql).execute(arguments);
        return config.statementTimeout() == 0
                ? answer
                : answer.ifNoItem()
                        .after(limit)
                        .fail()
                        .onFailure(TimeoutException.class)
                        .invoke(() -> renew(asked));
    }

    private synchronized void renew(Generation asked) {
        if (asked.number() == now.number()) {
            LOG.warnf(
                    "A statement had no answer within %d s: all connections of its pool are replaced",
                    limit.toSeconds());
            renew();
        }
    }

    /** Its name in metrics, which must not be used twice. */
    String name() {
        return name(now.number());
    }

    /** Gives up all connections: what waits for them fails. */
    synchronized void renew() {
        Generation old = replace();
        abandon(old);
        old.pool().closeAndForget();
    }

    /** Closes all connections when what they do is done: PostgreSQL has too few for all. */
    synchronized void giveWay() {
        if (pool().size() > 0) {
            replace().pool().closeAndForget();
        }
    }

    private Generation replace() {
        Generation old = now;
        now = generation(old.number() + 1);
        return old;
    }

    /** At the end: a PostgreSQL that is silent must not keep the server from stopping. */
    void close() {
        Generation last = now;
        last.pool()
                .close()
                .ifNoItem()
                .after(TO_CLOSE)
                .recoverWithUni(() -> {
                    abandon(last);
                    return Uni.createFrom().voidItem();
                })
                .await()
                .indefinitely();
    }

    private static void abandon(Generation generation) {
        List<SqlConnection> open;
        synchronized (generation.open()) {
            open = new ArrayList<>(generation.open());
        }
        open.forEach(ForcedClose::close);
    }

    private Generation generation(int number) {
        Set<SqlConnection> open = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
        io.vertx.sqlclient.Pool pool = PgBuilder.pool()
                .with(poolOptions(name(number)))
                .connectingTo(options)
                .withConnectHandler(connection -> {
                    open.add(connection);
                    connection.close();
                })
                .using(vertx)
                .build();
        return new Generation(number, Pool.newInstance(pool), open);
    }

    private static String name(int number) {
        return number == 1 ? NAME : NAME + "-" + number;
    }

    private PoolOptions poolOptions(String name) {
        return new PoolOptions()
                .setName(name)
                .setMaxSize(size)
                // Longer than a connection takes to fail, or the pool would report the same failure twice.
                .setConnectionTimeout(2 * config.connectionTimeout())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout(config.idleTimeout())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    }
}
