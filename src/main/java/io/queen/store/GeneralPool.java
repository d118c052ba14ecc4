package io.queen.store;

import io.queen.config.QueenConfig;
import io.vertx.core.Future;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnectOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The pool for everything but messages. When PostgreSQL has fallen silent its connections, and those that it is opening,
 * would wait for an answer for hours: then it is replaced as a whole.
 */
final class GeneralPool {
    private static final String NAME = "general";

    private final Vertx vertx;
    private final QueenConfig.Database config;
    private final int size;
    private final Supplier<SqlConnectOptions> options;
    private volatile Generation now;

    GeneralPool(Vertx vertx, QueenConfig.Database config, int size, Supplier<SqlConnectOptions> options) {
        this.size = size;
        this.vertx = vertx;
        this.config = config;
        this.options = options;
        this.now = generation(1);
    }

    /** One pool, and its open connections as long as somebody else knows them too. */
    private record Generation(int number, Pool pool, Set<io.vertx.sqlclient.SqlConnection> open) {}

    Pool pool() {
        return now.pool();
    }

    /** Its name in metrics, which must not be used twice. */
    String name() {
        return name(now.number());
    }

    /** Gives up all connections: what waits for them fails. */
    synchronized void renew() {
        Generation old = now;
        now = generation(old.number() + 1);
        List<io.vertx.sqlclient.SqlConnection> open;
        synchronized (old.open()) {
            open = new ArrayList<>(old.open());
        }
        open.forEach(Sockets::close);
        old.pool().closeAndForget();
    }

    void close() {
        pool().closeAndAwait();
    }

    private Generation generation(int number) {
        Set<io.vertx.sqlclient.SqlConnection> open =
                Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
        io.vertx.sqlclient.Pool pool = PgBuilder.pool()
                .with(poolOptions(name(number)))
                .connectingTo(() -> Future.succeededFuture(options.get()))
                .withConnectHandler(connection -> {
                    open.add(connection);
                    connection.close();
                })
                .using(vertx.getDelegate())
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
