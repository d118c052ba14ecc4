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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** What the state machine and the waiting pops do; the member {@code pop} of {@code GET /metrics}. */
@Singleton
public final class PopMetrics implements MetricsSection, SampleSource {
    /** The states of a pop, by the names that metrics give them. */
    public enum Phase {
        PENDING,
        RESOLVING,
        LEASING,
        FETCHING,
        COMPLETED,
        EMPTY,
        FAILED;

        private final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final Phase[] PHASES = Phase.values();

    private final MeterRegistry registry;
    private final CounterRegistry counters;
    private final LongAdder parked = new LongAdder();
    private final Counter woken;
    private final Counter probed;
    private final Counter hits;
    private final Counter misses;
    /** By the phase that was left and the one that was reached; each is there from the first such step on. */
    private final AtomicReferenceArray<Counter> transitions = new AtomicReferenceArray<>(PHASES.length * PHASES.length);

    private final Timer resolving;
    private final Timer leasing;

    public PopMetrics(MeterRegistry registry, CounterRegistry counters) {
        this.registry = registry;
        this.counters = counters;
        Gauge.builder("queen.pop.parked", parked, LongAdder::sum)
                .description("Pops that wait for news")
                .register(registry);
        woken = counter("queen.pop.woken", "Waiting pops woken by news");
        probed = counter("queen.pop.checks", "Waiting pops that looked for themselves");
        hits = counter("queen.pop.hits", "Tries of a waiting pop that found messages");
        misses = counter("queen.pop.misses", "Tries of a waiting pop that found none");
        resolving = timer(Phase.RESOLVING);
        leasing = timer(Phase.LEASING);
    }

    private Timer timer(Phase phase) {
        return Timer.builder("queen.pop.state.time")
                .description("Time of a batch in a state")
                .tag("state", phase.label)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** One more pop of the target waits, or one less. */
    public void parked(PopTarget target, int change) {
        parked.add(change);
        if (target instanceof PopTarget.Queue queue) {
            counters.of(queue.queue()).parked(change);
        } else if (target instanceof PopTarget.Partition one) {
            counters.of(one.queue()).parked(change);
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

    /** A pop went from one phase to another. */
    @SuppressWarnings("EnumOrdinal") // every pop comes here several times, and the numbers stay in this class
    public void transition(Phase from, Phase to) {
        int step = from.ordinal() * PHASES.length + to.ordinal();
        Counter known = transitions.get(step);
        if (known == null) {
            known = Counter.builder("queen.pop.transitions")
                    .description("Steps of pops from state to state")
                    .tag("from", from.label)
                    .tag("to", to.label)
                    .register(registry);
            transitions.set(step, known);
        }
        known.increment();
    }

    /** A batch looked for partitions for so long. */
    public void resolved(long nanos) {
        resolving.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A batch leased and fetched for so long. */
    public void leased(long nanos) {
        leasing.record(nanos, TimeUnit.NANOSECONDS);
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
        for (int step = 0; step < transitions.length(); step++) {
            Counter known = transitions.get(step);
            if (known != null) {
                String name = PHASES[step / PHASES.length].label + ">" + PHASES[step % PHASES.length].label;
                steps.put(name, (long) known.count());
            }
        }
        values.put("transitions", steps);
        return values;
    }
}
