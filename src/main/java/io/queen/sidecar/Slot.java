package io.queen.sidecar;

import io.queen.database.Connection;
import java.util.function.BiConsumer;

/** One connection of a sidecar: free, busy with a list, or lost and being opened again. */
final class Slot {
    private final BiConsumer<Slot, Connection> onDeath;
    private Connection connection;
    private boolean busy;
    private long takenAt;

    Slot(BiConsumer<Slot, Connection> onDeath) {
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
        takenAt = System.nanoTime();
    }

    /** How long it has been at work; 0 when it is not. */
    long busyNanos() {
        return busy ? System.nanoTime() - takenAt : 0;
    }

    void release() {
        busy = false;
    }
}
