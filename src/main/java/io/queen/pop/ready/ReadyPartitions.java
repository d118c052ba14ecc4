package io.queen.pop.ready;

import io.queen.pop.ready.DeferredPartitions.Note;
import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Found;
import io.queen.pop.ready.ReadyQuestions.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The partitions of one queue known to have messages for one group, in the order in which they are to be served: the one
 * that has waited longest comes first, and goes to the end when it was served.
 *
 * <pre>
 *   (unknown) ──pushed, answer──▶ READY ──take──▶ TAKEN ──putBack, served──▶ READY
 *                                   ▲               ├──defer, leased──▶ DEFERRED ──its time, freed, drained──▶ READY
 *                                   └── news ───────┴──forget──▶ (unknown)
 * </pre>
 *
 * <p>It is a memory, not a truth: what it offers may be gone, and the statement that leases decides. What it does not
 * know of is found by asking the database: one scan over the queue at first, then what the push log tells since the last
 * question.
 *
 * <p>Shared by all event loops: short synchronised sections, nothing waits inside.
 */
public final class ReadyPartitions {
    private enum Place {
        READY,
        TAKEN,
        DEFERRED
    }

    private static final class Entry {
        private Place place;
        /** Until when it is deferred; null in other places. */
        private Note note;
        /** Something came while it was taken or deferred: it must not be forgotten, whatever was seen before. */
        private boolean news;
        /** The check in which it is looked at; null when it has been taken or got news since. */
        private UUID[] check;

        private void markNews() {
            news = true;
            check = null;
        }
    }

    private final String queue;
    private final String group;
    private final WaitList waitList;
    private final PushLogPosition position = new PushLogPosition();
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Deque<UUID> ready = new ArrayDeque<>();
    private final DeferredPartitions deferred;

    ReadyPartitions(String queue, String group, WaitList waitList) {
        this.queue = queue;
        this.group = group;
        this.waitList = waitList;
        this.deferred = new DeferredPartitions(waitList.timers(), this::comeDue);
    }

    /** Where pops of any of these partitions wait. */
    public WaitList waitList() {
        return waitList;
    }

    /**
     * Lets the waiter wait, unless there is something to pop; it is also woken when a deferred partition comes due. It is
     * in the list before the look, so what becomes ready is either seen here or wakes it.
     */
    boolean park(Waiter waiter, long seen, long now) {
        if (!waitList.park(waiter, seen) || (hasReady() && waitList.unpark(waiter))) {
            return false;
        }
        synchronized (this) {
            deferred.setTimer(now);
        }
        return true;
    }

    private void comeDue() {
        long now = waitList.timers().nanos();
        int back;
        synchronized (this) {
            deferred.timerFired();
            back = bringBack(now);
        }
        waitList.wakeForReady(back);
        setTimerIfAwaited(now);
    }

    private void setTimerIfAwaited(long now) {
        if (!waitList.isEmpty()) {
            synchronized (this) {
                deferred.setTimer(now);
            }
        }
    }

    /** Up to {@code count} partitions to try now. What became of each must be reported afterwards. */
    public synchronized List<UUID> take(int count, long now) {
        bringBack(now);
        List<UUID> taken = new ArrayList<>(Math.min(count, ready.size()));
        while (taken.size() < count && !ready.isEmpty()) {
            UUID partition = ready.pollFirst();
            place(partition, Place.TAKEN);
            taken.add(partition);
        }
        return taken;
    }

    /** Taken and not needed: it is the next to be served. */
    public void putBack(UUID partition) {
        change(() -> {
            Entry entry = entries.get(partition);
            if (entry == null || entry.place != Place.TAKEN) {
                return false;
            }
            place(partition, Place.READY);
            ready.addFirst(partition);
            return true;
        });
    }

    /** Taken and served without a lease, with messages left: its turn comes again after all others. */
    public void served(UUID partition) {
        change(() -> makeReady(partition));
    }

    /** Taken and found empty or gone: forgotten, unless news came meanwhile. */
    public void forget(UUID partition) {
        change(() -> {
            Entry entry = remove(partition);
            return entry != null && entry.news && makeReady(partition);
        });
    }

    /** Taken, and not to be popped before that time has passed: leased through another server, or delayed. */
    public void defer(UUID partition, long millis, long now) {
        leased(partition, null, millis, now);
    }

    /** Taken and leased by a pop of this server. */
    public void leased(UUID partition, UUID lease, long millis, long now) {
        synchronized (this) {
            deferFor(partition, lease, millis, now);
        }
        setTimerIfAwaited(now);
    }

    /** A push to the partition was committed. */
    void pushed(UUID partition) {
        change(() -> hasNews(partition, false));
    }

    /** A lease on the partition has ended and messages are left. */
    void freed(UUID partition) {
        change(() -> hasNews(partition, true));
    }

    /**
     * This lease on the partition has ended and nothing is left. It is forgotten if it is deferred for that lease and no
     * news came that the ack did not see; else it is worth a look.
     */
    void drained(UUID partition, UUID lease) {
        change(() -> {
            Entry entry = entries.get(partition);
            if (entry == null || entry.place != Place.DEFERRED) {
                return false;
            }
            if (lease != null && lease.equals(entry.note.lease()) && !entry.news) {
                remove(partition);
                return false;
            }
            return makeReady(partition);
        });
    }

    /** The group was moved: what is known does not hold. All is looked for anew, and pops that wait try again. */
    void restart() {
        synchronized (this) {
            entries.clear();
            ready.clear();
            deferred.clear();
            position.reset(waitList.timers().nanos());
        }
        waitList.wakeAll();
    }

    /** Wakes a pop when a partition is ready by the change. */
    private void change(BooleanSupplier change) {
        boolean isReady;
        synchronized (this) {
            isReady = change.getAsBoolean();
        }
        waitList.wakeForReady(isReady ? 1 : 0);
    }

    private Entry place(UUID partition, Place place) {
        Entry entry = entries.computeIfAbsent(partition, id -> new Entry());
        deferred.remove(entry.note);
        entry.place = place;
        entry.note = null;
        entry.news = false;
        entry.check = null;
        return entry;
    }

    private boolean makeReady(UUID partition) {
        place(partition, Place.READY);
        ready.addLast(partition);
        return true;
    }

    private void deferFor(UUID partition, UUID lease, long millis, long now) {
        Note note = new Note(partition, lease, now + millis * 1_000_000);
        place(partition, Place.DEFERRED).note = note;
        deferred.add(note);
    }

    private Entry remove(UUID partition) {
        Entry entry = entries.remove(partition);
        if (entry != null) {
            deferred.remove(entry.note);
        }
        return entry;
    }

    /** It is ready if it was not known, or, when it is free, deferred; else that something came is noted. */
    private boolean hasNews(UUID partition, boolean free) {
        Entry entry = entries.get(partition);
        if (entry == null || (free && entry.place == Place.DEFERRED)) {
            return makeReady(partition);
        }
        entry.markNews();
        return false;
    }

    private int bringBack(long now) {
        int back = 0;
        for (UUID due = deferred.pollDue(now); due != null; due = deferred.pollDue(now)) {
            makeReady(due);
            back++;
        }
        return back;
    }

    /** The next partitions to be served, up to {@code count}, to be checked together; they stay where they are. */
    public synchronized UUID[] beginCheck(int count, long now) {
        bringBack(now);
        UUID[] check = ready.stream().limit(count).toArray(UUID[]::new);
        for (UUID partition : check) {
            entries.get(partition).check = check;
        }
        return check;
    }

    /** What the check found: the others of its partitions have nothing. */
    public void endCheck(UUID[] check, List<Found> found, long now) {
        synchronized (this) {
            Map<UUID, Long> due = new HashMap<>();
            found.forEach(one -> due.put(one.partition(), one.dueMillis()));
            Set<UUID> unready = new HashSet<>();
            for (UUID partition : check) {
                Entry entry = entries.get(partition);
                if (entry != null && entry.check == check && due.getOrDefault(partition, 1L) > 0) {
                    unready.add(partition);
                }
            }
            ready.removeAll(unready);
            entries.keySet().removeAll(unready);
            due.keySet().retainAll(unready);
            due.forEach((partition, millis) -> deferFor(partition, null, millis, now));
        }
        setTimerIfAwaited(now);
    }

    /** Milliseconds until the first deferred partition is due; -1 when there is none. */
    public synchronized long dueMillis(long now) {
        return deferred.dueMillis(now);
    }

    /** What to ask the database to know all that there is. */
    public synchronized Question question(long now) {
        return position.question(queue, group, now);
    }

    /** What to ask the push log, if it was asked last before so many milliseconds or longer ago; else null. */
    synchronized Question questionOlderThan(long millis, long now) {
        return position.isOlderThan(millis, now) ? question(now) : null;
    }

    /** Takes in the answer. True when all is known by it, false when a further page is needed to be sure. */
    public boolean answer(Question question, Answer answer, long askedNanos, long now) {
        List<Found> found = answer.shuffled();
        int more = 0;
        boolean complete;
        synchronized (this) {
            for (Found one : found) {
                more += learn(one, now) ? 1 : 0;
            }
            complete = position.advance(question, answer, askedNanos, now);
        }
        waitList.wakeForReady(more);
        return complete;
    }

    /** Whether it is ready by that. */
    private boolean learn(Found found, long now) {
        if (found.dueMillis() > 0 && !entries.containsKey(found.partition())) {
            deferFor(found.partition(), null, found.dueMillis(), now);
            return false;
        }
        return hasNews(found.partition(), found.dueMillis() <= 0);
    }

    /** How many partitions could be taken now. */
    public synchronized int readyCount(long now) {
        bringBack(now);
        return ready.size();
    }

    public synchronized boolean hasReady() {
        return !ready.isEmpty();
    }
}
