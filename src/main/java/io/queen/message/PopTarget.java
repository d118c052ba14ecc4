package io.queen.message;

/** Where a pop takes messages from. */
public sealed interface PopTarget {

    /** One partition. */
    record Partition(String queue, String partition) implements PopTarget {
        public PartitionName name() {
            return new PartitionName(queue, partition);
        }
    }

    /** Any partition of a queue. */
    record Queue(String queue) implements PopTarget {}

    /** Any partition of the queues with that namespace and task; null matches all, one of them is given. */
    record Filter(String namespace, String task) implements PopTarget {}
}
