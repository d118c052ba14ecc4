package io.queen.database;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.SqlConnectOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** How to connect, and the general pool: for everything but messages, so that a slow query never delays one. */
@Singleton
public final class Database {
    private static final Logger LOG = Logger.getLogger(Database.class);

    /** Beside the time for TCP, what PostgreSQL may take to start a process and check a password. */
    private static final int LOGIN_MS = 3000;

    private final QueenConfig.Database config;
    private final String jdbcUrl;
    private final DatabaseAddress address;
    private final String user;
    private final String password;
    private final Vertx vertx;
    private final Hosts hosts;
    private final DatabaseProbe knock;
    private final GeneralPool pool;
    private final Connection general;
    private final Admission admission = new Admission();
    private final Precedence precedence = new Precedence();
    private final ConnectionBudget budget;
    private final Complaints complaints;
    private final List<Runnable> onSilence = new CopyOnWriteArrayList<>();
    private final AtomicBoolean away = new AtomicBoolean();

    Database(
            QueenConfig config,
            Vertx vertx,
            Complaints complaints,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String jdbcUrl,
            @ConfigProperty(name = "quarkus.datasource.username") String user,
            @ConfigProperty(name = "quarkus.datasource.password") String password) {
        this.config = config.database();
        this.budget = ConnectionBudget.of(config);
        this.complaints = complaints;
        this.jdbcUrl = jdbcUrl;
        this.address = DatabaseAddress.parse(jdbcUrl);
        this.user = user;
        this.password = password;
        this.vertx = vertx;
        this.hosts = new Hosts(address.hosts());
        this.knock = new DatabaseProbe(vertx.getDelegate(), this.config.connectionTimeout());
        this.pool = new GeneralPool(vertx, this.config, budget.general(), this::generalOptions);
        this.general = Connection.ofPool(pool::pool);
        precedence.onYield(pool::giveWay);
    }

    @PreDestroy
    void close() {
        pool.close();
    }

    public DatabaseAddress address() {
        return address;
    }

    public String user() {
        return user;
    }

    /** For one attempt to migrate. */
    MigrationSessions migrationSessions() {
        int loginSeconds = (config.connectionTimeout() + LOGIN_MS + 999) / 1000;
        return MigrationSessions.unlimited(jdbcUrl, user, password, loginSeconds);
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

    /** Whether it may be used, and could be reached when it was last tried. */
    public boolean isThere() {
        return admission.closed() == null && !away.get();
    }

    /** The schema is in place: from now on connections are opened. */
    void admit() {
        admission.admit();
    }

    /** It is there, but this server can't use it. */
    void refuse() {
        admission.refuse();
    }

    /** Whether every event loop has a connection for messages. */
    public boolean messagesServed() {
        return precedence.served();
    }

    /** That event loop has no connection for messages: nobody else opens one until it has. */
    public void messagesLack(Object loop) {
        precedence.lacks(loop);
    }

    /** That event loop has one. */
    public void messagesHave(Object loop) {
        precedence.has(loop);
    }

    /**
     * PostgreSQL refused that event loop a connection because it has too many. The others give way when the loop has
     * none.
     *
     * @return whether it has none
     */
    public boolean messagesRefused(Object loop, Throwable failure) {
        complaints.failed("PostgreSQL opens no more connections, and this server wants " + budget.describe(), failure);
        return precedence.refused(loop);
    }

    /** Runs when connections that are not for messages must be given up, on any thread. */
    public void onYield(Runnable action) {
        precedence.onYield(action);
    }

    /** Runs when PostgreSQL has fallen silent, on any thread: all connections to it must be given up. */
    public void onSilence(Runnable action) {
        onSilence.add(action);
    }

    /** It has stopped to answer, without closing a connection. */
    void silent() {
        isAway(new IOException("it does not answer"));
        onSilence.forEach(Runnable::run);
        pool.renew();
    }

    public Pool pool() {
        return pool.pool();
    }

    /** The pool's name in metrics. */
    String poolName() {
        return pool.name();
    }

    /** The general pool. */
    public Connection general() {
        return general;
    }

    /**
     * A connection of its own to the primary, bound to the event loop of the caller; it waits no longer than that for a
     * lock.
     */
    public Uni<Connection> open(String applicationName, int lockTimeoutMillis) {
        return open(applicationName, lockTimeoutMillis, hosts.size());
    }

    /** The same for what is not a message: when every event loop has a connection. */
    public Uni<Connection> openAfterMessages(String applicationName, int lockTimeoutMillis) {
        Context own = io.vertx.core.Vertx.currentContext();
        return Uni.createFrom()
                .<Void>emitter(
                        emitter -> precedence.whenServed(() -> own.runOnContext(ignored -> emitter.complete(null))))
                .flatMap(turn -> open(applicationName, lockTimeoutMillis));
    }

    private Uni<Connection> open(String applicationName, int lockTimeoutMillis, int tries) {
        if (admission.closed() != null) {
            return Uni.createFrom().failure(admission.closed());
        }
        DatabaseAddress.Host host = hosts.current();
        return reach(host)
                .flatMap(answered -> Connection.open(
                        vertx.getDelegate(),
                        options(host, applicationName, lockTimeoutMillis),
                        config.connectionTimeout() + LOGIN_MS))
                .flatMap(opened -> primary(opened, host))
                .onFailure()
                .recoverWithUni(failure -> {
                    hosts.pass(host);
                    return tries > 1
                            ? open(applicationName, lockTimeoutMillis, tries - 1)
                            : Uni.createFrom().failure(failure);
                });
    }

    /** Done when the current host answers, within that time. */
    Uni<Void> knock(long limitMillis) {
        return knock.at(hosts.current(), limitMillis);
    }

    /** How the general pool connects: when it is its turn. While PostgreSQL is away it fails by itself. */
    private Future<SqlConnectOptions> generalOptions() {
        if (admission.closed() != null) {
            return Future.failedFuture(admission.closed());
        }
        if (precedence.limited()) {
            return Future.failedFuture(new QueenException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "PostgreSQL opens too few connections, and these are for messages"));
        }
        Promise<SqlConnectOptions> turn = Promise.promise();
        Runnable go = () -> turn.complete(options(hosts.current(), "queen-general", config.lockTimeout()));
        Context caller = io.vertx.core.Vertx.currentContext();
        if (away.get() || caller == null) {
            go.run();
        } else {
            precedence.whenServed(() -> caller.runOnContext(ignored -> go.run()));
        }
        return turn.future();
    }

    /** Who was away is asked first whether it is there: what is opened can't be called back. */
    private Uni<Void> reach(DatabaseAddress.Host host) {
        return isThere() ? Uni.createFrom().voidItem() : knock.at(host, config.connectionTimeout());
    }

    private Uni<Connection> primary(Connection opened, DatabaseAddress.Host host) {
        if (hosts.size() == 1) {
            return Uni.createFrom().item(opened);
        }
        return opened.isPrimary().flatMap(primary -> {
            if (primary) {
                return Uni.createFrom().item(opened);
            }
            opened.close();
            return Uni.createFrom().failure(new IOException(host + " is a standby"));
        });
    }

    /** What the connection wants, or what is configured if that is less; to PostgreSQL 0 is for ever. */
    private int lockTimeout(int wantedMillis) {
        return config.lockTimeout() == 0 ? wantedMillis : Math.min(wantedMillis, config.lockTimeout());
    }

    private PgConnectOptions options(DatabaseAddress.Host host, String applicationName, int lockTimeoutMillis) {
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host.name())
                .setPort(host.port())
                .setDatabase(address.database())
                .setUser(user)
                .setPassword(password)
                .addProperty("application_name", applicationName);
        if (config.pooler()) {
            SharedSession.apply(options);
        } else {
            options.setCachePreparedStatements(true)
                    .addProperty("statement_timeout", Integer.toString(config.statementTimeout()))
                    .addProperty("lock_timeout", Integer.toString(lockTimeout(lockTimeoutMillis)))
                    .addProperty("search_path", "queen");
        }
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
