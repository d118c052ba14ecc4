package io.queen.pop.ready;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The partitions of one queue known to have messages for one group, in the order in which they are to be served: who has
 * waited longest comes first, and goes to the end when it was served. A partition that can't be popped yet (leased,
 * delayed) lies aside until its time.
 *
 * <p>It is a memory, not a truth: what it offers may be gone, and the statement that leases decides. What it does not
 * know of, a refill finds: one sweep over the queue at first, then what the push log tells since the last look.
 *
 * <p>Shared by all event loops: short synchronised sections, nothing waits inside.
 */
public final class ReadyPartitions {
    /** How long a mark can be trusted: well within the life of the push log's rows. */
    private static final long MARK_NANOS = 30_000_000_000L;
    /** Partitions whose order is no matter: a few are soon tried. */
    private static final int FEW = 100;
    /** Outdated notes that are not worth sweeping out. */
    private static final int SPARE_NOTES = 64;

    private enum Place {
        READY,
        TAKEN,
        ASIDE
    }

    private static final class Entry {
        private Place place;
        private long dueNanos;
        /** The lease of this server for which it lies aside, null when it is another's or none. */
        private UUID lease;
        /** Something came while it was taken or lay aside: it must not be forgotten, whatever was seen before. */
        private boolean news;
        /** The look in which it is a suspect; null when it has been taken or got news since. */
        private UUID[] suspectedIn;

        private void hear() {
            news = true;
            suspectedIn = null;
        }
    }

    private record Due(UUID partition, long nanos) {}

    private final WaitList parking;
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Deque<UUID> ready = new ArrayDeque<>();
    private final PriorityQueue<Due> aside = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private long armedNanos;
    private String mark;
    private long markNanos;
    private String sweepMark;
    private long sweepNanos;
    private String sweptUpTo;

    public ReadyPartitions(WaitList parking) {
        this.parking = parking;
    }

    public WaitList parking() {
        return parking;
    }

    /**
     * Parks the waiter, unless there is something to pop; also when a partition that lies aside comes due it is woken. It
     * is parked before the look, so what becomes ready is either seen here or wakes it.
     */
    public boolean park(Waiter waiter, long seen, long now) {
        if (!parking.park(waiter, seen) || (hasReady() && parking.unpark(waiter))) {
            return false;
        }
        arm(now);
        return true;
    }

    /** Sees to it that somebody is woken when the first partition that lies aside comes due. */
    private void arm(long now) {
        long nanos;
        synchronized (this) {
            Due due = aside.peek();
            if (due == null || (armedNanos != 0 && armedNanos - due.nanos() <= 0)) {
                return;
            }
            armedNanos = due.nanos();
            nanos = due.nanos() - now;
        }
        parking.after(nanos / 1_000_000 + 1, this::comeDue);
    }

    private void comeDue() {
        long now = System.nanoTime();
        int back;
        synchronized (this) {
            armedNanos = 0;
            back = bringBack(now);
        }
        for (int i = 0; i < back; i++) {
            parking.wakeOneForReady();
        }
        if (!parking.isEmpty()) {
            arm(now);
        }
    }

    /** Up to {@code count} partitions to try now. Each must be settled afterwards. */
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
        synchronized (this) {
            Entry entry = entries.get(partition);
            if (entry == null || entry.place != Place.TAKEN) {
                return;
            }
            place(partition, Place.READY);
            ready.addFirst(partition);
        }
        parking.wakeOneForReady();
    }

    /** Taken and served without a lease, with messages left: its turn comes again after all others. */
    public void served(UUID partition) {
        synchronized (this) {
            makeReady(partition);
        }
        parking.wakeOneForReady();
    }

    /** Taken and found empty or gone: forgotten, unless news came meanwhile. */
    public void forget(UUID partition) {
        synchronized (this) {
            Entry entry = entries.remove(partition);
            if (entry == null || !entry.news) {
                return;
            }
            makeReady(partition);
        }
        parking.wakeOneForReady();
    }

    /** Taken, and not to be popped before that time has passed: leased by somebody, or delayed. */
    public void layAside(UUID partition, long millis, long now) {
        leased(partition, null, millis, now);
    }

    /** Taken and leased by a pop of this server. */
    public void leased(UUID partition, UUID lease, long millis, long now) {
        synchronized (this) {
            putAside(partition, lease, now + millis * 1_000_000);
        }
        if (!parking.isEmpty()) {
            arm(now);
        }
    }

    /** A push to the partition was committed. */
    public void news(UUID partition) {
        synchronized (this) {
            Entry entry = entries.get(partition);
            if (entry != null) {
                entry.hear();
                return;
            }
            makeReady(partition);
        }
        parking.wakeOneForReady();
    }

    /** A lease on the partition has ended and messages are left. */
    public void freed(UUID partition) {
        synchronized (this) {
            Entry entry = entries.get(partition);
            if (entry != null && entry.place != Place.ASIDE) {
                entry.hear();
                return;
            }
            makeReady(partition);
        }
        parking.wakeOneForReady();
    }

    /**
     * This lease on the partition has ended and nothing is left. It is forgotten if it lies aside for that lease and no
     * news came that the ack did not see; else it is worth a look.
     */
    public void drained(UUID partition, UUID lease) {
        synchronized (this) {
            Entry entry = entries.get(partition);
            if (entry == null || entry.place != Place.ASIDE) {
                return;
            }
            if (lease != null && lease.equals(entry.lease) && !entry.news) {
                entries.remove(partition);
                return;
            }
            makeReady(partition);
        }
        parking.wakeOneForReady();
    }

    /** The group was moved: what is known does not hold. All is looked for anew, and who waits tries again. */
    public void restart() {
        synchronized (this) {
            entries.clear();
            ready.clear();
            aside.clear();
            mark = null;
            sweptUpTo = null;
        }
        parking.wakeAll();
    }

    /** The queue or group was paused and is not any more. */
    public void resume(long now) {
        parking.wake(readyCount(now) + 1);
    }

    private Entry place(UUID partition, Place place) {
        Entry entry = entries.computeIfAbsent(partition, id -> new Entry());
        entry.place = place;
        entry.lease = null;
        entry.news = false;
        entry.suspectedIn = null;
        return entry;
    }

    private void makeReady(UUID partition) {
        place(partition, Place.READY);
        ready.addLast(partition);
    }

    /** Most leases end before their time and leave their note behind: when those are many, they are swept out. */
    private void putAside(UUID partition, UUID lease, long dueNanos) {
        Entry entry = place(partition, Place.ASIDE);
        entry.lease = lease;
        entry.dueNanos = dueNanos;
        aside.add(new Due(partition, dueNanos));
        if (aside.size() > 2 * entries.size() + SPARE_NOTES) {
            aside.removeIf(due -> !isValid(due));
        }
    }

    private boolean isValid(Due due) {
        Entry entry = entries.get(due.partition());
        return entry != null && entry.place == Place.ASIDE && entry.dueNanos == due.nanos();
    }

    private int bringBack(long now) {
        int back = 0;
        for (Due due = aside.peek(); due != null && due.nanos() - now <= 0; due = aside.peek()) {
            aside.poll();
            if (isValid(due)) {
                makeReady(due.partition());
                back++;
            }
        }
        return back;
    }

    /** The next partitions to be served, up to {@code count}, to be looked at together; they stay where they are. */
    public synchronized UUID[] suspects(int count, long now) {
        bringBack(now);
        UUID[] suspects = ready.stream().limit(count).toArray(UUID[]::new);
        for (UUID partition : suspects) {
            entries.get(partition).suspectedIn = suspects;
        }
        return suspects;
    }

    /** What the look at the suspects found: the others of them have nothing. */
    public void sifted(UUID[] suspects, ReadyStore.News found, long now) {
        synchronized (this) {
            Map<UUID, Long> due = new HashMap<>();
            for (int i = 0; i < found.ids().length; i++) {
                due.put(found.ids()[i], found.dueMillis()[i]);
            }
            Set<UUID> unready = new HashSet<>();
            for (UUID partition : suspects) {
                Entry entry = entries.get(partition);
                if (entry != null && entry.suspectedIn == suspects && due.getOrDefault(partition, 1L) > 0) {
                    unready.add(partition);
                }
            }
            ready.removeAll(unready);
            unready.forEach(partition -> putAsideOrForget(partition, due.get(partition), now));
        }
        if (!parking.isEmpty()) {
            arm(now);
        }
    }

    private void putAsideOrForget(UUID partition, Long dueMillis, long now) {
        if (dueMillis == null) {
            entries.remove(partition);
        } else {
            putAside(partition, null, now + dueMillis * 1_000_000);
        }
    }

    /** Milliseconds until the first partition that lies aside is due; -1 when none does. */
    public synchronized long dueMillis(long now) {
        Due due = aside.peek();
        return due == null ? -1 : Math.max(0, (due.nanos() - now) / 1_000_000 + 1);
    }

    /** What a refill has to ask: {@code mark} of the push log, or null for the next step of a sweep. */
    public record Question(String mark, String sweepAfter) {}

    public synchronized Question question(long now) {
        return trusted(now) ? new Question(mark, null) : new Question(null, sweptUpTo);
    }

    private boolean trusted(long now) {
        return mark != null && now - markNanos < MARK_NANOS;
    }

    public synchronized boolean olderThan(long millis, long now) {
        return now - markNanos > millis * 1_000_000;
    }

    /** Takes in the answer. True when all is known by it, false when a further step is needed to be sure. */
    public boolean answer(Question question, ReadyStore.News answer, long askedNanos, long now) {
        int found = 0;
        boolean complete;
        if (answer.ids().length > FEW) {
            mix(answer.ids(), answer.dueMillis());
        }
        synchronized (this) {
            for (int i = 0; i < answer.ids().length; i++) {
                found += take(answer.ids()[i], answer.dueMillis()[i], now) ? 1 : 0;
            }
            complete = question.mark() != null && answer.mark() != null;
            if (complete) {
                remember(answer.mark(), askedNanos);
            } else if (question.mark() != null) {
                distrust(question.mark());
            } else if (!trusted(now) && Objects.equals(question.sweepAfter(), sweptUpTo)) {
                swept(question, answer, askedNanos);
            }
        }
        for (int i = 0; i < found; i++) {
            parking.wakeOneForReady();
        }
        return complete;
    }

    /**
     * Many partitions at once come in an order of this ring's own. All servers get the same answers, and in the same order
     * each would try first what another has just taken: two were slower than one.
     */
    private static void mix(UUID[] ids, Long[] dueMillis) {
        for (int i = ids.length - 1; i > 0; i--) {
            int other = ThreadLocalRandom.current().nextInt(i + 1);
            UUID id = ids[i];
            ids[i] = ids[other];
            ids[other] = id;
            Long due = dueMillis[i];
            dueMillis[i] = dueMillis[other];
            dueMillis[other] = due;
        }
    }

    private boolean take(UUID partition, long dueMillis, long now) {
        Entry entry = entries.get(partition);
        if (dueMillis <= 0 && (entry == null || entry.place == Place.ASIDE)) {
            makeReady(partition);
            return true;
        }
        if (entry == null) {
            putAside(partition, null, now + dueMillis * 1_000_000);
        } else {
            entry.hear();
        }
        return false;
    }

    /**
     * What was pushed after a sweep began may lie where it had already been: the log is asked from its beginning, and
     * that is as old as the mark is. Of sweeps that overlap one counts, or steps of the other would be missing in it.
     */
    private void swept(Question question, ReadyStore.News answer, long askedNanos) {
        if (question.sweepAfter() == null) {
            sweepMark = answer.mark();
            sweepNanos = askedNanos;
        }
        sweptUpTo = answer.lastName();
        if (sweptUpTo == null) {
            remember(sweepMark, sweepNanos);
        }
    }

    /** The database has crashed since: what was pushed then may stand before the mark. */
    private void distrust(String oldMark) {
        if (oldMark.equals(mark)) {
            mark = null;
        }
    }

    private void remember(String newMark, long askedNanos) {
        mark = newMark;
        markNanos = askedNanos;
        sweptUpTo = null;
    }

    /** For tests: notes of when what lies aside is due. */
    public synchronized int asideSize() {
        return aside.size();
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
