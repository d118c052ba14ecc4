package io.queen.database;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Notices that PostgreSQL has fallen silent: frozen, or gone with its machine, without closing a connection. When the
 * heartbeat of a connection of its own gets no answer, and a probe gets none either, all connections are given up.
 * Without this, requests would wait as long as TCP does.
 */
@Singleton
final class DatabaseHeartbeat implements KeptConnection.User {
    private static final Logger LOG = Logger.getLogger(DatabaseHeartbeat.class);
    private static final long PROBE_MS = 2000;

    private final Database database;
    private final Schema schema;
    private final KeptConnection connection;

    DatabaseHeartbeat(Database database, Schema schema, Vertx vertx) {
        this.database = database;
        this.schema = schema;
        this.connection = new KeptConnection(database, vertx, "queen-pulse", this);
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(connection::start);
    }

    void stop(@Observes ShutdownEvent event) {
        connection.stop();
    }

    /** The connections for messages notice it too, but only when a request uses them. */
    @Override
    public void refused(Throwable failure) {
        if (DriverConnection.isSilence(failure) && database.isThere()) {
            database.silent();
        }
    }

    @Override
    public Uni<Void> unanswered() {
        LOG.debug("No answer from PostgreSQL, asking with a probe");
        return database.probe(PROBE_MS).onFailure().invoke(database::silent);
    }
}
