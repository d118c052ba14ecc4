package io.queen.buffer;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The segments that are not in the database yet, in the order in which they go there. */
@Singleton
final class Backlog {
    private final List<Segment> segments = new ArrayList<>();
    private final AtomicLong bytes = new AtomicLong();

    /** What this server writes comes last. */
    synchronized void addLast(Segment segment) {
        segments.add(segment);
    }

    /** What another has left comes first: pushes to its partitions are buffered behind it from now on. */
    synchronized void addFirst(List<Segment> leftovers) {
        segments.addAll(0, leftovers);
        leftovers.forEach(segment -> bytes.addAndGet(segment.end()));
    }

    synchronized void remove(Segment segment) {
        if (segments.remove(segment)) {
            bytes.addAndGet(-segment.end());
        }
    }

    /** The first that has something to drain, null when none has. */
    synchronized Segment next() {
        return segments.stream()
                .filter(segment -> !segment.isDrained())
                .findFirst()
                .orElse(null);
    }

    synchronized List<Segment> drained() {
        return segments.stream().filter(Segment::isDrained).toList();
    }

    synchronized boolean has(Slot slot) {
        return segments.stream().anyMatch(segment -> segment.slot() == slot);
    }

    synchronized boolean isEmpty() {
        return segments.isEmpty();
    }

    /** A segment has become larger. */
    void grew(long by) {
        bytes.addAndGet(by);
    }

    /** On disk. */
    long bytes() {
        return bytes.get();
    }

    synchronized List<Segment> all() {
        return List.copyOf(segments);
    }
}
