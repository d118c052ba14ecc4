package io.queen.pop.ready;

import io.queen.message.PartitionName;
import java.util.UUID;

/**
 * One piece of news for other servers: a push, or with a group the end of a lease. Without a partition id it says that the
 * group was moved, or without a group no more than that something happened in the queue; the queue without a name stands
 * for what is paused.
 */
record PeerEvent(PartitionName partition, UUID partitionId, String group) {

    static PeerEvent somewhere(String queue) {
        return new PeerEvent(new PartitionName(queue, ""), null, null);
    }

    static PeerEvent pausesChanged() {
        return somewhere("");
    }

    static PeerEvent groupMoved(String queue, String group) {
        return new PeerEvent(new PartitionName(queue, ""), null, group);
    }
}
