package io.queen.sidecar;

import io.queen.message.PartitionName;
import java.util.UUID;

/** What a request has to lock before it can be done. When another transaction holds it, requests wait for it by this. */
public sealed interface LockKey {

    /** How the client and the log are told of it: it begins a sentence. */
    String told();

    /** A partition, to be pushed to. It need not exist yet. */
    record OfPartition(PartitionName name) implements LockKey {
        @Override
        public String told() {
            return "Partition " + name.partition() + " of queue " + name.queue();
        }
    }

    /** The cursor and lease of a group in a partition, to be acked or given back. */
    record OfConsumer(UUID partitionId, String consumerGroup) implements LockKey {
        @Override
        public String told() {
            return "Partition " + partitionId + " for group " + consumerGroup;
        }
    }

    /** A streaming query in a source partition: its cycles go one after the other. */
    record OfCycle(UUID queryId, UUID partitionId) implements LockKey {
        @Override
        public String told() {
            return "Partition " + partitionId + " for query " + queryId;
        }
    }

    /** A lease by its id, to be renewed. */
    record OfLease(UUID leaseId) implements LockKey {
        @Override
        public String told() {
            return "Lease " + leaseId;
        }
    }
}
