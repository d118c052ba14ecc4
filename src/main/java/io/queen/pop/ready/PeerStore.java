package io.queen.pop.ready;

import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.database.KeptConnection;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** LISTEN and NOTIFY: how the servers of one database tell each other what happened. */
@Singleton
public final class PeerStore implements KeptConnection.User {
    private static final String CHANNEL = "queen_signals";
    /** By this name servers see each other in {@code pg_stat_activity}. */
    private static final String LISTENER = "queen-listener";

    private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', $1)";
    private static final String LISTENERS = "select count(*) from pg_stat_activity a" + " where a.application_name = '"
            + LISTENER + "' and a.datname = current_database()";

    private final Database database;
    private final Complaints complaints;
    private final KeptConnection listening;
    private Consumer<String> handler;

    PeerStore(Database database, Vertx vertx, Complaints complaints) {
        this.database = database;
        this.complaints = complaints;
        this.listening = new KeptConnection(database, vertx, LISTENER, this);
    }

    /** Hears what servers say, this one too. A lost connection is opened again; what was said meanwhile is not heard. */
    public void listen(Consumer<String> listener) {
        handler = listener;
        listening.start();
    }

    /** Whether the connection is there that hears. */
    public boolean listening() {
        return listening.isOpen();
    }

    public void close() {
        listening.stop();
    }

    @Override
    public Uni<Void> opened(Connection connection) {
        return connection.listen(CHANNEL, handler);
    }

    @Override
    public void refused(Throwable failure) {
        complaints.failed("Others are not heard", failure);
    }

    public Uni<Void> say(String text) {
        return database.run(NOTIFY, text);
    }

    /** How many servers listen, this one among them. */
    public Uni<Long> listeners() {
        return database.one(LISTENERS, row -> row.getLong(0));
    }
}
