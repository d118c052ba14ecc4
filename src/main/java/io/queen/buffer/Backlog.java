package io.queen.buffer;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The segments that are not in the database yet, in the order in which they go there. Used by several threads. */
@Singleton
final class Backlog {
    private final CopyOnWriteArrayList<Segment> segments = new CopyOnWriteArrayList<>();
    private final AtomicLong bytes = new AtomicLong();

    /** What this server writes comes last. */
    void addLast(Segment segment) {
        segments.add(segment);
    }

    /** What another server has left comes first: pushes to its partitions are buffered behind it from now on. */
    void addFirst(List<Segment> orphans) {
        segments.addAll(0, orphans);
        orphans.forEach(segment -> bytes.addAndGet(segment.end()));
    }

    void remove(Segment segment) {
        if (segments.remove(segment)) {
            bytes.addAndGet(-segment.end());
        }
    }

    /** The first that has something to drain, null when none has. */
    Segment next() {
        return segments.stream()
                .filter(segment -> !segment.isDrained())
                .findFirst()
                .orElse(null);
    }

    boolean isEmpty() {
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

    /** As it is now. */
    List<Segment> all() {
        return List.copyOf(segments);
    }
}
