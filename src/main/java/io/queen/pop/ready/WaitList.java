package io.queen.pop.ready;

import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Where pops wait for news of one target. One piece of news wakes one of them. If no news come, one is woken from time to
 * time to look for itself: soon at first, then more slowly; that carries correctness where news can't be heard.
 *
 * <p>News that a ring keeps until somebody takes them need no count: who is about to wait looks there once more. Others
 * are gone when nobody waits, so they are counted, and a pop that was trying when they came tries again.
 *
 * <p>Shared by all event loops: short synchronised sections, nothing waits inside.
 */
public final class WaitList {
    private final Vertx vertx;
    private final ProbeSchedule schedule;
    private final PopMetrics metrics;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long news;
    private int probes;
    private long probeTimer = -1;

    public WaitList(Vertx vertx, ProbeSchedule schedule, PopMetrics metrics) {
        this.vertx = vertx;
        this.schedule = schedule;
        this.metrics = metrics;
    }

    /** Counts news; a pop that remembers the count from before its attempt does not miss any. */
    public synchronized long news() {
        return news;
    }

    /** Parks the waiter, unless news came since the count was {@code seen}: then it should try again at once. */
    public synchronized boolean park(Waiter waiter, long seen) {
        if (news != seen) {
            return false;
        }
        waiters.addLast(waiter);
        if (probeTimer == -1) {
            probeTimer = vertx.setTimer(schedule.delayMillis(probes), ignored -> probe());
        }
        return true;
    }

    /** Takes a waiter back that was just parked; false when it has been woken. */
    public boolean unpark(Waiter waiter) {
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
        wakeOneForReady();
    }

    /** Much has come at once: wakes so many, if they are there. */
    public void wake(int count) {
        wakeOne();
        for (int more = count - 1; more > 0 && wakeNext(); more--) {
            metrics.woken();
        }
    }

    /** Something is ready, and stays so until it is taken: wakes one. */
    public void wakeOneForReady() {
        synchronized (this) {
            probes = 0;
        }
        if (wakeNext()) {
            metrics.woken();
        }
    }

    /** Everything may be different: wakes all. */
    public void wakeAll() {
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

    /** Runs the task after that time: a lease, a delay or a window ends then. */
    public void after(long millis, Runnable task) {
        vertx.setTimer(Math.max(1, millis), ignored -> task.run());
    }

    public synchronized boolean isEmpty() {
        waiters.removeIf(Waiter::isGone);
        return waiters.isEmpty();
    }

    private void probe() {
        synchronized (this) {
            probeTimer = -1;
            probes++;
        }
        if (wakeNext()) {
            metrics.probed();
        }
        synchronized (this) {
            if (!waiters.isEmpty() && probeTimer == -1) {
                probeTimer = vertx.setTimer(schedule.delayMillis(probes), ignored -> probe());
            }
        }
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
