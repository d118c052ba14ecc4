package io.queen.store;

import io.queen.config.QueenConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.PoolOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** How to connect, and the general pool: for everything but messages, so that a slow query never delays one. */
@Singleton
public final class Database {
    private static final Logger LOG = Logger.getLogger(Database.class);

    /** The pool's name in metrics. */
    static final String POOL_NAME = "general";

    private final QueenConfig.Database config;
    private final DatabaseAddress address;
    private final String user;
    private final String password;
    private final Vertx vertx;
    private final Pool pool;
    private final Connection general;
    private final AtomicBoolean away = new AtomicBoolean();

    Database(
            QueenConfig config,
            Vertx vertx,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String jdbcUrl,
            @ConfigProperty(name = "quarkus.datasource.username") String user,
            @ConfigProperty(name = "quarkus.datasource.password") String password) {
        this.config = config.database();
        this.address = DatabaseAddress.parse(jdbcUrl);
        this.user = user;
        this.password = password;
        this.vertx = vertx;
        this.pool = PgBuilder.pool()
                .with(new PoolOptions()
                        .setName(POOL_NAME)
                        .setMaxSize(this.config.poolSize())
                        // Longer than a connection takes to fail, or the pool would report the same failure twice.
                        .setConnectionTimeout(2 * this.config.connectionTimeout())
                        .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout(this.config.idleTimeout())
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS))
                .connectingTo(connectOptions("queen-general"))
                .using(vertx)
                .build();
        this.general = Connection.ofPool(pool);
    }

    @PreDestroy
    void close() {
        pool.closeAndAwait();
    }

    public DatabaseAddress address() {
        return address;
    }

    public String user() {
        return user;
    }

    /** Said by each connection that can't be opened; logged once. */
    public void isAway(Throwable failure) {
        if (away.compareAndSet(false, true)) {
            LOG.warnf("PostgreSQL can't be reached at %s as %s: %s", address, user, failure.getMessage());
        }
    }

    /** Said by each connection that was opened; logged once. */
    public void isBack() {
        if (away.compareAndSet(true, false)) {
            LOG.infof("PostgreSQL is back at %s", address);
        }
    }

    /** Whether it could be reached when it was last tried. */
    public boolean isThere() {
        return !away.get();
    }

    Pool pool() {
        return pool;
    }

    /** The general pool. */
    public Connection general() {
        return general;
    }

    /** A connection of its own, bound to the event loop of the caller; it waits no longer than that for a lock. */
    public Uni<Connection> open(String applicationName, int lockTimeoutMillis) {
        return Connection.open(vertx.getDelegate(), connectOptions(applicationName, lockTimeoutMillis));
    }

    /** Options for one connection; the caller may change the copy. */
    PgConnectOptions connectOptions(String applicationName) {
        return connectOptions(applicationName, config.lockTimeout());
    }

    private PgConnectOptions connectOptions(String applicationName, int lockTimeoutMillis) {
        DatabaseAddress.Host host = address.hosts().get(0);
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host.name())
                .setPort(host.port())
                .setDatabase(address.database())
                .setUser(user)
                .setPassword(password)
                .setCachePreparedStatements(true)
                .addProperty("application_name", applicationName)
                .addProperty("statement_timeout", Integer.toString(config.statementTimeout()))
                .addProperty("lock_timeout", Integer.toString(Math.min(lockTimeoutMillis, config.lockTimeout())))
                .addProperty("search_path", "queen");
        options.setMetricsName(applicationName);
        options.setConnectTimeout(config.connectionTimeout()).setTcpKeepAlive(true);
        if (address.ssl()) {
            options.setSslMode(address.verifyCertificate() ? SslMode.VERIFY_FULL : SslMode.REQUIRE)
                    .setTrustAll(!address.verifyCertificate())
                    .setHostnameVerificationAlgorithm(address.verifyCertificate() ? "HTTPS" : "");
        }
        return options;
    }
}
