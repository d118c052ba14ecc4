package io.queen.pop.ready;

import io.queen.runtime.Timers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Where pops wait for news of one target. One piece of news wakes one of them. If no news come, one is woken from time to
 * time to look for itself: soon at first, then more slowly; that carries correctness where news can't be heard.
 *
 * <p>News that {@link ReadyPartitions} keep until a pop takes them need no count: a pop that is about to wait looks there
 * once more. Others are gone when no pop waits, so they are counted, and a pop that was trying when they came tries again.
 *
 * <p>Shared by all event loops: short synchronised sections, nothing waits inside.
 */
public final class WaitList {
    private final Timers timers;
    private final ProbeSchedule schedule;
    private final PopMetrics metrics;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long news;
    private int probes;
    private boolean probing;

    WaitList(Timers timers, ProbeSchedule schedule, PopMetrics metrics) {
        this.timers = timers;
        this.schedule = schedule;
        this.metrics = metrics;
    }

    Timers timers() {
        return timers;
    }

    /** Counts news; a pop that remembers the count from before its attempt does not miss any. */
    public synchronized long news() {
        return news;
    }

    /** Lets the waiter wait, unless news came since the count was {@code seen}: then it should try again at once. */
    boolean park(Waiter waiter, long seen) {
        synchronized (this) {
            if (news != seen) {
                return false;
            }
            waiters.addLast(waiter);
        }
        probeLater();
        return true;
    }

    /** Takes a waiter back that has just come; false when it has been woken. */
    boolean unpark(Waiter waiter) {
        synchronized (this) {
            waiters.removeLastOccurrence(waiter);
        }
        return waiter.leave();
    }

    /** Something has come: wakes one. */
    public void wakeOne() {
        synchronized (this) {
            news++;
        }
        wakeForReady(1);
    }

    /** So many partitions are ready, and stay so until they are taken: wakes as many, if they are there. */
    void wakeForReady(int count) {
        if (count > 0) {
            synchronized (this) {
                probes = 0;
            }
        }
        for (int left = count; left > 0 && wakeNext(); left--) {
            metrics.woken();
        }
    }

    /** Everything may be different: wakes all. */
    void wakeAll() {
        List<Waiter> all;
        synchronized (this) {
            news++;
            probes = 0;
            all = List.copyOf(waiters);
            waiters.clear();
        }
        for (Waiter waiter : all) {
            if (waiter.wake()) {
                metrics.woken();
            }
        }
    }

    synchronized boolean isEmpty() {
        waiters.removeIf(Waiter::isGone);
        return waiters.isEmpty();
    }

    private synchronized void probeLater() {
        if (!waiters.isEmpty() && !probing) {
            probing = true;
            timers.after(schedule.delayMillis(probes), this::probe);
        }
    }

    private void probe() {
        synchronized (this) {
            probing = false;
            probes++;
        }
        if (wakeNext()) {
            metrics.probed();
        }
        probeLater();
    }

    private boolean wakeNext() {
        for (Waiter next = poll(); next != null; next = poll()) {
            if (next.wake()) {
                return true;
            }
        }
        return false;
    }

    private synchronized Waiter poll() {
        return waiters.pollFirst();
    }
}
