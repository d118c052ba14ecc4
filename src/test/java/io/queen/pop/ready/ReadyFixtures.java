package io.queen.pop.ready;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.metrics.CounterRegistry;
import io.queen.runtime.Backoff;
import io.queen.runtime.Timers;

/** What pops need that wait in a test. */
public final class ReadyFixtures {
    static final ProbeSchedule SCHEDULE = new ProbeSchedule(3, Backoff.doubling(100, 1000));

    private ReadyFixtures() {}

    static WaitList waitList(Timers timers) {
        return new WaitList(timers, SCHEDULE, metrics());
    }

    public static ReadyIndex index(Timers timers, Pauses pauses) {
        return new ReadyIndex(() -> waitList(timers), pauses);
    }

    public static PopMetrics metrics() {
        return new PopMetrics(new SimpleMeterRegistry(), new CounterRegistry());
    }
}
