package io.queen.buffer;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The partitions that have buffered messages. Shared by all event loops and the threads of the buffer: short synchronised
 * sections, nothing waits inside. While nothing is buffered, asking is one volatile read.
 */
@Singleton
final class BufferedPartitions {
    private final Map<PartitionName, Held> lanes = new HashMap<>();
    private volatile long messages;

    /** One partition: how many messages, and who waits until there are none. */
    private static final class Held {
        private int count;
        private final List<Runnable> waiting = new ArrayList<>();
    }

    static Map<PartitionName, Integer> count(List<PushItem> items) {
        Map<PartitionName, Integer> counts = new HashMap<>();
        items.forEach(item -> counts.merge(new PartitionName(item.queue(), item.partition()), 1, Integer::sum));
        return counts;
    }

    boolean isEmpty() {
        return messages == 0;
    }

    /** All buffered messages. */
    long messages() {
        return messages;
    }

    synchronized void hold(Map<PartitionName, Integer> counts) {
        counts.forEach((lane, count) -> lanes.computeIfAbsent(lane, fresh -> new Held()).count += count);
        messages = messages + total(counts);
    }

    /** They are in the database, or will never be: who waited for the last one goes on. */
    void free(Map<PartitionName, Integer> counts) {
        List<Runnable> released = new ArrayList<>();
        synchronized (this) {
            counts.forEach((lane, count) -> free(lane, count, released));
            messages = messages - total(counts);
        }
        released.forEach(Runnable::run);
    }

    /** These messages of the segment are dealt with. */
    void settle(Segment segment, List<PushItem> items) {
        Map<PartitionName, Integer> counts = count(items);
        segment.settle(counts);
        free(counts);
    }

    private void free(PartitionName lane, int count, List<Runnable> released) {
        Held held = lanes.get(lane);
        held.count -= count;
        if (held.count == 0) {
            released.addAll(held.waiting);
            lanes.remove(lane);
        }
    }

    /** The first of these partitions that is held, null when none is. */
    synchronized PartitionName firstHeld(List<PushItem> items) {
        for (PushItem item : items) {
            PartitionName lane = new PartitionName(item.queue(), item.partition());
            if (lanes.containsKey(lane)) {
                return lane;
            }
        }
        return null;
    }

    /** Runs the action when the partition is free; false, and nothing is run, when it is free already. */
    synchronized boolean whenFree(PartitionName lane, Runnable action) {
        Held held = lanes.get(lane);
        return held != null && held.waiting.add(action);
    }

    synchronized void forget(PartitionName lane, Runnable action) {
        Held held = lanes.get(lane);
        if (held != null) {
            held.waiting.remove(action);
        }
    }

    private static int total(Map<PartitionName, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
