package io.queen.pop.ready;

import io.queen.runtime.Timers;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.UUID;

/**
 * The partitions that are not to be popped before their time, and the timer that brings them back while pops wait. Most
 * leave earlier, because their lease ends, and leave their note behind: when those are many, they are removed. Guarded by
 * the {@link ReadyPartitions} that it belongs to.
 */
final class DeferredPartitions {
    /** Outdated notes that are not worth removing. */
    private static final int SPARE = 64;

    /** That a partition is deferred. */
    static final class Note {
        private final UUID partition;
        private final UUID lease;
        private final long dueNanos;
        private boolean outdated;

        private Note(UUID partition, UUID lease, long dueNanos) {
            this.partition = partition;
            this.lease = lease;
            this.dueNanos = dueNanos;
        }

        boolean isFor(UUID endedLease) {
            return endedLease != null && endedLease.equals(lease);
        }
    }

    private final Timers timers;
    private final Runnable onDue;
    private final PriorityQueue<Note> notes = new PriorityQueue<>(Comparator.comparingLong(note -> note.dueNanos));
    private int outdated;
    /** When the timer fires; 0 when there is none. */
    private long timerNanos;

    /** @param onDue runs when the timer fires */
    DeferredPartitions(Timers timers, Runnable onDue) {
        this.timers = timers;
        this.onDue = onDue;
    }

    /** @param lease that of this server for which it is deferred, null when it is another's or none */
    Note add(UUID partition, UUID lease, long dueNanos) {
        Note note = new Note(partition, lease, dueNanos);
        notes.add(note);
        return note;
    }

    /** The partition does not wait for its time any more. */
    void remove(Note note) {
        if (note == null || note.outdated) {
            return;
        }
        note.outdated = true;
        outdated++;
        if (outdated > notes.size() / 2 + SPARE) {
            notes.removeIf(one -> one.outdated);
            outdated = 0;
        }
    }

    void clear() {
        notes.clear();
        outdated = 0;
    }

    /** A partition whose time has come, which is not deferred any more; null when there is none. */
    UUID pollDue(long now) {
        Note first = first();
        if (first == null || first.dueNanos - now > 0) {
            return null;
        }
        notes.remove();
        first.outdated = true;
        return first.partition;
    }

    private Note first() {
        while (!notes.isEmpty() && notes.peek().outdated) {
            notes.remove();
            outdated--;
        }
        return notes.peek();
    }

    /** Milliseconds until the first is due; -1 when there is none. */
    long dueMillis(long now) {
        Note first = first();
        return first == null ? -1 : Math.max(0, (first.dueNanos - now) / 1_000_000 + 1);
    }

    /** Sees to it that the timer fires when the first is due. */
    void setTimer(long now) {
        Note first = first();
        if (first != null && (timerNanos == 0 || timerNanos - first.dueNanos > 0)) {
            timerNanos = first.dueNanos;
            timers.after(dueMillis(now), onDue);
        }
    }

    void timerFired() {
        timerNanos = 0;
    }

    /** Outdated ones among them. */
    int notes() {
        return notes.size();
    }
}
