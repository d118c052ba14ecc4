package io.queen.database;

import io.smallrye.mutiny.Uni;
import java.util.function.Consumer;

/**
 * A connection to PostgreSQL, bound to the event loop that opened it. Its failures are those of the driver, for the
 * caller to judge by {@link DatabaseFailure}.
 */
public interface Connection extends Queries {
    /** Runs when the connection is closed, by either side. */
    void onClose(Runnable action);

    /** Ends it when all that was sent is answered. */
    void close();

    /** Ends it now: what waits for an answer fails. */
    void abandon();

    /** Done when PostgreSQL has answered; fails when it has not within that time. */
    Uni<Void> ping(long limitMillis);

    Uni<Void> listen(String channel, Consumer<String> handler);
}
