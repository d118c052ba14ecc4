package io.queen.pop.ready;

import io.queen.runtime.Timers;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The partitions that are not to be popped before their time, and the timer that brings them back while pops wait. Guarded
 * by the {@link ReadyPartitions} that it belongs to.
 */
final class DeferredPartitions {
    /** @param lease that of this server for which it is deferred, null when it is another's or none */
    record Note(UUID partition, UUID lease, long dueNanos) {}

    /**
     * A message may be due in years. One timer is set anew after each that fires, and none is taken back: shorter ones are
     * gone soon.
     */
    private static final long LONGEST_MILLIS = 60_000;

    private final Timers timers;
    private final Runnable onDue;
    private final TreeSet<Note> notes =
            new TreeSet<>(Comparator.comparingLong(Note::dueNanos).thenComparing(Note::partition));
    /** When the timer fires; 0 when there is none. */
    private long timerNanos;

    /** @param onDue runs when the timer fires */
    DeferredPartitions(Timers timers, Runnable onDue) {
        this.timers = timers;
        this.onDue = onDue;
    }

    void add(Note note) {
        notes.add(note);
    }

    /** The partition does not wait for its time any more; most leave early, when their lease ends. */
    void remove(Note note) {
        if (note != null) {
            notes.remove(note);
        }
    }

    void clear() {
        notes.clear();
    }

    /** A partition whose time has come, which is not deferred any more; null when there is none. */
    UUID pollDue(long now) {
        return notes.isEmpty() || notes.first().dueNanos() - now > 0
                ? null
                : notes.pollFirst().partition();
    }

    /** Milliseconds until the first is due; -1 when there is none. */
    long dueMillis(long now) {
        return notes.isEmpty() ? -1 : Math.max(0, (notes.first().dueNanos() - now) / 1_000_000 + 1);
    }

    /** Sees to it that the timer fires when the first is due, or before. */
    void setTimer(long now) {
        if (!notes.isEmpty() && (timerNanos == 0 || timerNanos - notes.first().dueNanos() > 0)) {
            timerNanos = now + Math.min(notes.first().dueNanos() - now, LONGEST_MILLIS * 1_000_000);
            timers.after(Math.min(dueMillis(now), LONGEST_MILLIS), onDue);
        }
    }

    void timerFired() {
        timerNanos = 0;
    }
}
