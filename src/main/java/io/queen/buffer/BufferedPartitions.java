package io.queen.buffer;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The partitions that have buffered messages, and how many. Shared by all event loops and the threads of the buffer:
 * short synchronised sections, nothing waits inside. While nothing is buffered, asking is one volatile read.
 */
@Singleton
final class BufferedPartitions {
    private final Map<PartitionName, Buffered> partitions = new HashMap<>();
    private volatile long messages;

    /** The buffered messages of one partition, and what to run when there are none. */
    private static final class Buffered {
        private int count;
        private final List<Runnable> waiting = new ArrayList<>();
    }

    static Map<PartitionName, Integer> count(List<PushItem> items) {
        Map<PartitionName, Integer> counts = new HashMap<>();
        items.forEach(item -> counts.merge(partition(item), 1, Integer::sum));
        return counts;
    }

    private static PartitionName partition(PushItem item) {
        return new PartitionName(item.queue(), item.partition());
    }

    boolean isEmpty() {
        return messages == 0;
    }

    /** All buffered messages. */
    long messages() {
        return messages;
    }

    synchronized void add(Map<PartitionName, Integer> counts) {
        counts.forEach(
                (partition, count) -> partitions.computeIfAbsent(partition, added -> new Buffered()).count += count);
        messages = messages + total(counts);
    }

    /** The messages are in the database, or will never be: pushes that waited for the last one go on. */
    void remove(Map<PartitionName, Integer> counts) {
        List<Runnable> released = new ArrayList<>();
        synchronized (this) {
            counts.forEach((partition, count) -> remove(partition, count, released));
            messages = messages - total(counts);
        }
        released.forEach(Runnable::run);
    }

    /** These messages of the segment are dealt with. */
    void remove(Segment segment, List<PushItem> items) {
        Map<PartitionName, Integer> counts = count(items);
        segment.removePending(counts);
        remove(counts);
    }

    private void remove(PartitionName partition, int count, List<Runnable> released) {
        Buffered buffered = partitions.get(partition);
        buffered.count -= count;
        if (buffered.count == 0) {
            released.addAll(buffered.waiting);
            partitions.remove(partition);
        }
    }

    /** The first partition of the items that has buffered messages, null when none has. */
    synchronized PartitionName firstOf(List<PushItem> items) {
        return items.stream()
                .map(BufferedPartitions::partition)
                .filter(partitions::containsKey)
                .findFirst()
                .orElse(null);
    }

    /** Runs the action when the partition has no buffered messages; false, and nothing is run, when it has none now. */
    synchronized boolean whenDrained(PartitionName partition, Runnable action) {
        Buffered buffered = partitions.get(partition);
        return buffered != null && buffered.waiting.add(action);
    }

    synchronized void forget(PartitionName partition, Runnable action) {
        Buffered buffered = partitions.get(partition);
        if (buffered != null) {
            buffered.waiting.remove(action);
        }
    }

    static int total(Map<PartitionName, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
