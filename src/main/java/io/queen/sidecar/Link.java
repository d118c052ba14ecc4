package io.queen.sidecar;

import io.queen.store.Connection;
import java.util.function.BiConsumer;

/** One connection of a sidecar: free, busy with a list, or lost and being opened again. */
final class Link {
    private final BiConsumer<Link, Connection> onDeath;
    private Connection connection;
    private boolean busy;

    Link(BiConsumer<Link, Connection> onDeath) {
        this.onDeath = onDeath;
    }

    Connection connection() {
        return connection;
    }

    boolean up() {
        return connection != null;
    }

    boolean free() {
        return up() && !busy;
    }

    void opened(Connection opened) {
        connection = opened;
    }

    /** False when that connection is not the one in use any more. */
    boolean lose(Connection dead) {
        if (connection != dead) {
            return false;
        }
        connection = null;
        return true;
    }

    /** A list failed as on a dead connection: it must not get another one. */
    void abandon(Connection dead) {
        onDeath.accept(this, dead);
    }

    void take() {
        busy = true;
    }

    void release() {
        busy = false;
    }
}
