package io.queen.sidecar;

import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.function.BiConsumer;

/** One connection of a sidecar: free, busy with a list, or lost and being opened again. */
final class Link {
    private final BiConsumer<Link, SqlConnection> onDeath;
    private SqlConnection connection;
    private boolean busy;

    Link(BiConsumer<Link, SqlConnection> onDeath) {
        this.onDeath = onDeath;
    }

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

    /** False when that connection is not the one in use any more. */
    boolean lose(SqlConnection dead) {
        if (!dead.equals(connection)) {
            return false;
        }
        connection = null;
        return true;
    }

    /** A list failed as on a dead connection: it must not get another one. */
    void abandon(SqlConnection dead) {
        onDeath.accept(this, dead);
    }

    void take() {
        busy = true;
    }

    void release() {
        busy = false;
    }
}
