package io.queen.sidecar;

import io.vertx.mutiny.sqlclient.SqlConnection;

/** One connection of a sidecar: free, busy with a list, or lost and being opened again. */
final class Link {
    private SqlConnection connection;
    private boolean busy;

    SqlConnection connection() {
        return connection;
    }

    boolean up() {
        return connection != null;
    }

    boolean free() {
        return up() && !busy;
    }

    void opened(SqlConnection opened) {
        connection = opened;
    }

    void lost() {
        connection = null;
    }

    /** After a failure that a dead connection gives: it must not get another list. Its close handler opens a new one. */
    void abandon(SqlConnection dead) {
        if (dead.equals(connection)) {
            connection = null;
            dead.closeAndForget();
        }
    }

    void take() {
        busy = true;
    }

    void release() {
        busy = false;
    }
}
