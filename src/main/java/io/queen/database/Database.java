package io.queen.database;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.sqlclient.SqlConnectOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Opens connections for messages, and sends all other statements over the general pool, so that a slow one never delays
 * a message.
 */
@Singleton
public final class Database implements Queries, MessageDatabase {
    private static final Logger LOG = Logger.getLogger(Database.class);
    /** A standby answers, but can't store. */
    private static final String PRIMARY = "select not pg_is_in_recovery()";

    private final QueenConfig.Database config;
    private final Login login;
    private final Vertx vertx;
    private final Hosts hosts;
    private final DatabaseProbe probe;
    private final GeneralPool pool;
    private final Admission admission = new Admission();
    private final Precedence precedence = new Precedence();
    private final ConnectionBudget budget;
    private final Complaints complaints;
    private final AtomicBoolean away = new AtomicBoolean();
    private final List<Runnable> onSilence = new CopyOnWriteArrayList<>();

    Database(QueenConfig config, Login login, Vertx vertx, Complaints complaints) {
        this.config = config.database();
        this.login = login;
        this.budget = ConnectionBudget.of(config);
        this.complaints = complaints;
        this.vertx = vertx;
        this.hosts = new Hosts(login.address().hosts());
        this.probe = new DatabaseProbe(vertx, this.config.connectionTimeout());
        this.pool = new GeneralPool(vertx, this.config, budget.general(), this::generalOptions);
        precedence.onYield(pool::giveWay);
    }

    @PreDestroy
    void close() {
        pool.close();
    }

    public DatabaseAddress address() {
        return login.address();
    }

    public String user() {
        return login.user();
    }

    /** Sent over the general pool. A failure is what it means to the client. */
    @Override
    public Uni<RowSet<Row>> query(String sql, Tuple arguments) {
        return pool.query(sql, arguments).onFailure().transform(DatabaseFailure::translate);
    }

    @Override
    public void isAway(Throwable failure) {
        if (away.compareAndSet(false, true)) {
            LOG.warnf("PostgreSQL can't be reached at %s as %s: %s", address(), user(), failure.getMessage());
        }
    }

    @Override
    public void isBack() {
        if (away.compareAndSet(true, false)) {
            LOG.infof("PostgreSQL is back at %s", address());
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

    @Override
    public void messagesLack(Object loop) {
        precedence.lacks(loop);
    }

    @Override
    public void messagesHave(Object loop) {
        precedence.has(loop);
    }

    @Override
    public boolean messagesRefused(Object loop, Throwable failure) {
        complaints.failed("PostgreSQL opens no more connections, and this server wants " + budget.describe(), failure);
        return precedence.refused(loop);
    }

    /** Runs when connections that are not for messages must be given up, on any thread. */
    void onYield(Runnable action) {
        precedence.onYield(action);
    }

    @Override
    public void onSilence(Runnable action) {
        onSilence.add(action);
    }

    /** It has stopped to answer, without closing a connection. */
    void silent() {
        isAway(new IOException("it does not answer"));
        onSilence.forEach(Runnable::run);
        pool.renew();
    }

    Pool pool() {
        return pool.pool();
    }

    /** The pool's name in metrics. */
    String poolName() {
        return pool.name();
    }

    /** Done when the current host answers, within that time. */
    Uni<Void> probe(long limitMillis) {
        return probe.at(hosts.current(), limitMillis);
    }

    @Override
    public Uni<Connection> open(String applicationName, int lockTimeoutMillis) {
        return open(applicationName, lockTimeoutMillis, hosts.size());
    }

    /** The same for what is not a message: when every event loop has a connection. */
    Uni<Connection> openAfterMessages(String applicationName, int lockTimeoutMillis) {
        Context own = Vertx.currentContext();
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
                .flatMap(answered -> DriverConnection.open(
                        vertx, login.options(host, applicationName, lockTimeoutMillis), login.limitMillis()))
                .flatMap(opened -> primary(opened, host))
                .onFailure()
                .recoverWithUni(failure -> {
                    hosts.pass(host);
                    return tries > 1
                            ? open(applicationName, lockTimeoutMillis, tries - 1)
                            : Uni.createFrom().failure(failure);
                });
    }

    /** A host that was away is probed first: a connection that is being opened can't be called back. */
    private Uni<Void> reach(DatabaseAddress.Host host) {
        return isThere() ? Uni.createFrom().voidItem() : probe.at(host, config.connectionTimeout());
    }

    private Uni<Connection> primary(Connection opened, DatabaseAddress.Host host) {
        if (hosts.size() == 1) {
            return Uni.createFrom().item(opened);
        }
        return opened.one(PRIMARY, row -> row.getBoolean(0)).flatMap(primary -> {
            if (primary) {
                return Uni.createFrom().item(opened);
            }
            opened.close();
            return Uni.createFrom().failure(new IOException(host + " is a standby"));
        });
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
        Runnable go = () -> turn.complete(login.options(hosts.current(), "queen-general", config.lockTimeout()));
        Context caller = Vertx.currentContext();
        if (away.get() || caller == null) {
            go.run();
        } else {
            precedence.whenServed(() -> caller.runOnContext(ignored -> go.run()));
        }
        return turn.future();
    }
}
