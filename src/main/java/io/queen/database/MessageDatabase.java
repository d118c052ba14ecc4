package io.queen.database;

import io.smallrye.mutiny.Uni;

/** The database as the connections for messages see it. They go before all others, and tell what becomes of them. */
public interface MessageDatabase {
    /** A connection to the primary, bound to the event loop of the caller; it waits no longer than that for a lock. */
    Uni<Connection> open(String applicationName, int lockTimeoutMillis);

    /** Runs when PostgreSQL has fallen silent, on any thread: all connections to it must be given up. */
    void onSilence(Runnable action);

    /** Called for each connection that can't be opened; logged once. */
    void isAway(Throwable failure);

    /** Called for each connection that was opened; logged once. */
    void isBack();

    /** That event loop has no connection for messages: no other connection is opened until it has. */
    void messagesLack(Object loop);

    /** That event loop has one. */
    void messagesHave(Object loop);

    /**
     * PostgreSQL refused that event loop a connection because it has too many. The others give way when the loop has
     * none.
     *
     * @return whether it has none
     */
    boolean messagesRefused(Object loop, Throwable failure);
}
