package io.queen.pop.ready;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.metrics.CounterRegistry;
import io.queen.runtime.Backoff;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A Vert.x of which nothing works but timers, and these when the test says so. */
public final class FakeTimers {
    static final ProbeSchedule SCHEDULE = new ProbeSchedule(3, Backoff.doubling(100, 1000));

    private record Timer(long millis, Handler<Long> action) {}

    private final List<Timer> timers = new ArrayList<>();
    private long count;

    public WaitList parking() {
        return new WaitList(vertx(), SCHEDULE, new PopMetrics(new SimpleMeterRegistry(), new CounterRegistry()));
    }

    private Vertx vertx() {
        return (Vertx) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Vertx.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("setTimer")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    return add((Long) arguments[0], arguments[1]);
                });
    }

    @SuppressWarnings("unchecked")
    private long add(long millis, Object action) {
        timers.add(new Timer(millis, (Handler<Long>) action));
        return count++;
    }

    /** The delays of the timers that run. */
    public List<Long> delays() {
        return timers.stream().map(Timer::millis).toList();
    }

    /** All that run now fire. */
    public void fire() {
        List<Timer> due = List.copyOf(timers);
        timers.clear();
        due.forEach(timer -> timer.action().handle(0L));
    }
}
