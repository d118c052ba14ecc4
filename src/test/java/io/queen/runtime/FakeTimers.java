package io.queen.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that passes when the test says so. Used by one thread. */
public class FakeTimers implements Timers {
    private final List<Timer> timers = new ArrayList<>();
    private long nanos = 1_000_000_000L;

    private record Timer(long millis, long dueNanos, Runnable task) {}

    @Override
    public final long nanos() {
        return nanos;
    }

    @Override
    public final Runnable after(long millis, Runnable task) {
        Timer timer = new Timer(millis, nanos + millis * 1_000_000, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** The delays of the timers that run. */
    public final List<Long> delays() {
        return timers.stream().map(Timer::millis).toList();
    }

    /** All that run now fire. */
    public final void fire() {
        List<Timer> due = List.copyOf(timers);
        timers.clear();
        due.forEach(timer -> timer.task().run());
    }

    /** That time passes: what comes due fires in its order. */
    public final void pass(long millis) {
        turn();
        long end = nanos + millis * 1_000_000;
        for (Timer next = next(end); next != null; next = next(end)) {
            timers.remove(next);
            nanos = next.dueNanos();
            next.task().run();
            turn();
        }
        nanos = end;
    }

    private Timer next(long end) {
        return timers.stream()
                .filter(timer -> timer.dueNanos() <= end)
                .min(Comparator.comparingLong(Timer::dueNanos))
                .orElse(null);
    }

    /** What is to be done now, before time goes on. */
    public void turn() {}
}
