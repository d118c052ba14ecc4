package io.queen.pop.ready;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.metrics.CounterRegistry;
import io.queen.runtime.Backoff;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Timers and a clock that move when the test says so. */
public final class FakeTimers implements Timers {
    static final ProbeSchedule SCHEDULE = new ProbeSchedule(3, Backoff.doubling(100, 1000));

    private record Timer(long number, long millis, long dueNanos, Runnable task) {}

    private final List<Timer> timers = new ArrayList<>();
    private long count;
    private long nanos = 1_000_000_000L;

    public WaitList waitList() {
        return new WaitList(this, SCHEDULE, metrics());
    }

    public ReadyIndex index(Pauses pauses) {
        return new ReadyIndex(this, SCHEDULE, metrics(), pauses);
    }

    public static PopMetrics metrics() {
        return new PopMetrics(new SimpleMeterRegistry(), new CounterRegistry());
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long after(long millis, Runnable task) {
        timers.add(new Timer(count, millis, nanos + millis * 1_000_000, task));
        return count++;
    }

    @Override
    public void cancel(long timer) {
        timers.removeIf(one -> one.number() == timer);
    }

    /** The delays of the timers that run. */
    public List<Long> delays() {
        return timers.stream().map(Timer::millis).toList();
    }

    /** All that run now fire. */
    public void fire() {
        List<Timer> due = List.copyOf(timers);
        timers.clear();
        due.forEach(timer -> timer.task().run());
    }

    /** That time passes: what comes due fires in its order. */
    public void pass(long millis) {
        long end = nanos + millis * 1_000_000;
        for (Timer next = next(end); next != null; next = next(end)) {
            timers.remove(next);
            nanos = next.dueNanos();
            next.task().run();
        }
        nanos = end;
    }

    private Timer next(long end) {
        return timers.stream()
                .filter(timer -> timer.dueNanos() <= end)
                .min(Comparator.comparingLong(Timer::dueNanos))
                .orElse(null);
    }
}
