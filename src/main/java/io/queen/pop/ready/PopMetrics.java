package io.queen.pop.ready;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queen.message.PopTarget;
import io.queen.metrics.CounterRegistry;
import io.queen.metrics.MetricsSection;
import io.queen.metrics.SampleSource;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What the state machine and the waiting pops do; the member {@code pop} of {@code GET /metrics}. */
@Singleton
public final class PopMetrics implements MetricsSection, SampleSource {
    private final MeterRegistry registry;
    private final CounterRegistry tallies;
    private final LongAdder parked = new LongAdder();
    private final Counter woken;
    private final Counter probed;
    private final Counter hits;
    private final Counter misses;
    private final Map<String, Counter> transitions = new ConcurrentHashMap<>();
    private final Map<String, Timer> times = new ConcurrentHashMap<>();

    PopMetrics(MeterRegistry registry, CounterRegistry tallies) {
        this.registry = registry;
        this.tallies = tallies;
        Gauge.builder("queen.pop.parked", parked, LongAdder::sum)
                .description("Pops that wait for news")
                .register(registry);
        woken = counter("queen.pop.woken", "Waiting pops woken by news");
        probed = counter("queen.pop.checks", "Waiting pops that looked for themselves");
        hits = counter("queen.pop.hits", "Tries of a waiting pop that found messages");
        misses = counter("queen.pop.misses", "Tries of a waiting pop that found none");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** One more pop of the target waits, or one less. */
    public void parked(PopTarget target, int change) {
        parked.add(change);
        if (target instanceof PopTarget.Queue queue) {
            tallies.of(queue.queue()).parked(change);
        } else if (target instanceof PopTarget.Partition one) {
            tallies.of(one.queue()).parked(change);
        }
    }

    @Override
    public Map<String, Double> sample() {
        return Map.of("parked", (double) parked.sum());
    }

    void woken() {
        woken.increment();
    }

    void probed() {
        probed.increment();
    }

    public void retried(boolean found) {
        (found ? hits : misses).increment();
    }

    public void transition(String from, String to, int count) {
        if (count > 0) {
            transitions
                    .computeIfAbsent(
                            from + ">" + to,
                            key -> Counter.builder("queen.pop.transitions")
                                    .description("Steps of pops from state to state")
                                    .tag("from", from)
                                    .tag("to", to)
                                    .register(registry))
                    .increment(count);
        }
    }

    public void time(String state, long nanos) {
        times.computeIfAbsent(
                        state,
                        key -> Timer.builder("queen.pop.state.time")
                                .description("Time of a batch in a state")
                                .tag("state", state)
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public String name() {
        return "pop";
    }

    @Override
    public Map<String, ?> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("parked", parked.sum());
        values.put("woken", (long) woken.count());
        values.put("checks", (long) probed.count());
        values.put("hits", (long) hits.count());
        values.put("misses", (long) misses.count());
        Map<String, Object> steps = new LinkedHashMap<>();
        transitions.forEach((step, counter) -> steps.put(step, (long) counter.count()));
        values.put("transitions", steps);
        return values;
    }
}
