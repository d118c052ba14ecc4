package io.queen.sidecar;

import io.queen.database.Connection;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** Room for one connection of a sidecar: free, busy with a batch, or lost and being opened again. */
final class Slot {
    private final BiConsumer<Slot, Connection> onLoss;
    private final LongSupplier nanos;
    private Connection connection;
    private boolean busy;
    private long takenAt;

    /** @param onLoss hears that the connection, which was in use, has died */
    Slot(BiConsumer<Slot, Connection> onLoss, LongSupplier nanos) {
        this.onLoss = onLoss;
        this.nanos = nanos;
    }

    Connection connection() {
        return connection;
    }

    boolean isUp() {
        return connection != null;
    }

    boolean isFree() {
        return isUp() && !busy;
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

    /** A batch failed as on a dead connection: it must not get another one. */
    void abandon(Connection dead) {
        onLoss.accept(this, dead);
    }

    void take() {
        busy = true;
        takenAt = nanos.getAsLong();
    }

    /** How long it has been at work; 0 when it is not. */
    long busyNanos() {
        return busy ? nanos.getAsLong() - takenAt : 0;
    }

    void release() {
        busy = false;
    }
}
