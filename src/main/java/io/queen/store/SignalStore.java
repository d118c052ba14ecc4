package io.queen.store;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.pubsub.PgSubscriber;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** LISTEN and NOTIFY: how the servers of one database tell each other what happened. */
@Singleton
public final class SignalStore {
    private static final String CHANNEL = "queen_signals";
    /** By this name servers see each other in {@code pg_stat_activity}. */
    private static final String LISTENER = "queen-listener";

    private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', $1)";
    private static final String LISTENERS = "select count(*) from pg_stat_activity a" + " where a.application_name = '"
            + LISTENER + "' and a.datname = current_database()";
    private static final long FIRST_DELAY_MS = 100;
    private static final long MAX_DELAY_MS = 5000;

    private final Database database;
    private final Vertx vertx;
    private PgSubscriber subscriber;

    SignalStore(Database database, Vertx vertx) {
        this.database = database;
        this.vertx = vertx;
    }

    /** Hears what servers say, this one too. A lost connection is opened again; what was said meanwhile is not heard. */
    public void listen(Consumer<String> handler) {
        subscriber = PgSubscriber.subscriber(vertx, database.connectOptions(LISTENER));
        subscriber.reconnectPolicy(retries -> Math.min(MAX_DELAY_MS, FIRST_DELAY_MS << Math.min(retries, 10)));
        subscriber.channel(CHANNEL).handler(handler::accept);
        subscriber.connect();
    }

    /** Whether the connection is there that hears. */
    public boolean listening() {
        return subscriber != null && subscriber.actualConnection() != null;
    }

    public void close() {
        if (subscriber != null) {
            subscriber.close();
        }
    }

    public Uni<Void> say(String text) {
        return database.pool()
                .preparedQuery(NOTIFY)
                .execute(Tuple.of(text))
                .replaceWithVoid()
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** How many servers listen, this one among them. */
    public Uni<Long> listeners() {
        return database.pool()
                .query(LISTENERS)
                .execute()
                .map(rows -> rows.iterator().next().getLong(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
