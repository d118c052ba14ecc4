package io.queen.pop;

import io.queen.store.Lane;
import java.util.UUID;

/**
 * One piece of news for other servers: a push, or with a group the end of a lease. Without a partition id it says that the
 * group was moved, or without a group no more than that something happened in the queue; the queue without a name stands
 * for what is paused.
 */
record Signal(Lane lane, UUID partitionId, String group) {

    static Signal somewhere(String queue) {
        return new Signal(new Lane(queue, ""), null, null);
    }

    static Signal pausesChanged() {
        return somewhere("");
    }

    static Signal groupMoved(String queue, String group) {
        return new Signal(new Lane(queue, ""), null, group);
    }
}
