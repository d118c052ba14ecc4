package io.queen.buffer;

import io.queen.message.PushItem;
import io.queen.store.Lane;
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
final class HeldLanes {
    private final Map<Lane, Held> lanes = new HashMap<>();
    private volatile long messages;

    /** One partition: how many messages, and who waits until there are none. */
    private static final class Held {
        private int count;
        private final List<Runnable> waiting = new ArrayList<>();
    }

    static Map<Lane, Integer> count(List<PushItem> items) {
        Map<Lane, Integer> counts = new HashMap<>();
        items.forEach(item -> counts.merge(new Lane(item.queue(), item.partition()), 1, Integer::sum));
        return counts;
    }

    boolean isEmpty() {
        return messages == 0;
    }

    /** All buffered messages. */
    long messages() {
        return messages;
    }

    synchronized void hold(Map<Lane, Integer> counts) {
        counts.forEach((lane, count) -> lanes.computeIfAbsent(lane, fresh -> new Held()).count += count);
        messages = messages + total(counts);
    }

    /** They are in the database, or will never be: who waited for the last one goes on. */
    void free(Map<Lane, Integer> counts) {
        List<Runnable> released = new ArrayList<>();
        synchronized (this) {
            counts.forEach((lane, count) -> free(lane, count, released));
            messages = messages - total(counts);
        }
        released.forEach(Runnable::run);
    }

    /** These messages of the segment are dealt with. */
    void settle(Segment segment, List<PushItem> items) {
        Map<Lane, Integer> counts = count(items);
        segment.settle(counts);
        free(counts);
    }

    private void free(Lane lane, int count, List<Runnable> released) {
        Held held = lanes.get(lane);
        held.count -= count;
        if (held.count == 0) {
            released.addAll(held.waiting);
            lanes.remove(lane);
        }
    }

    /** The first of these partitions that is held, null when none is. */
    synchronized Lane firstHeld(List<PushItem> items) {
        for (PushItem item : items) {
            Lane lane = new Lane(item.queue(), item.partition());
            if (lanes.containsKey(lane)) {
                return lane;
            }
        }
        return null;
    }

    /** Runs the action when the partition is free; false, and nothing is run, when it is free already. */
    synchronized boolean whenFree(Lane lane, Runnable action) {
        Held held = lanes.get(lane);
        return held != null && held.waiting.add(action);
    }

    synchronized void forget(Lane lane, Runnable action) {
        Held held = lanes.get(lane);
        if (held != null) {
            held.waiting.remove(action);
        }
    }

    private static int total(Map<Lane, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
