package io.queen.series;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.metrics.CounterRegistry;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.queen.series.DepthStore.Lag;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Depth and lag of the queues for Prometheus: one query for all, every ten seconds while there are scrapes, and never more
 * than a twentieth of the time. When there was no scrape for five minutes, or the database does not answer, there are no
 * values: an autoscaler must not act on old ones. A scrape that finds none has them looked up, also the first.
 */
@Singleton
public final class QueueDepths {
    private static final long ASKED_LATELY = Duration.ofMinutes(5).toNanos();
    /** The pause after a look, in times of its length. */
    private static final long PAUSES = 20;

    private final DepthStore store;
    private final QueenConfig.Metrics config;
    private final Schema schema;
    private final PeriodicTasks tasks;
    private final CounterRegistry counters;
    private final MultiGauge depth;
    private final MultiGauge lagMessages;
    private final MultiGauge lagSeconds;
    private final MultiGauge parked;
    private final MultiGauge deadLetters;
    private final MultiGauge allDeadLetters;
    private volatile long lastAsked = System.nanoTime();
    private volatile long lastLook;
    private volatile long lastFailure;
    private Uni<List<Lag>> underWay;

    QueueDepths(
            MeterRegistry registry,
            QueenConfig config,
            DepthStore store,
            Schema schema,
            PeriodicTasks tasks,
            CounterRegistry counters) {
        this.store = store;
        this.config = config.metrics();
        this.schema = schema;
        this.counters = counters;
        this.tasks = tasks;
        depth = gauge(registry, "queen.queue.depth", "Messages that the slowest group has not consumed");
        lagMessages = gauge(registry, "queen.group.lag.messages", "Messages that the group has not consumed");
        lagSeconds = gauge(registry, "queen.group.lag.seconds", "Age of the oldest message not consumed by the group");
        parked = gauge(registry, "queen.queue.parked.consumers", "Pops that wait on this server");
        deadLetters = gauge(registry, "queen.dlq.depth.by.queue", "Dead letters of the queue");
        allDeadLetters = gauge(registry, "queen.dlq.depth", "Dead letters of all queues told of");
        Gauge.builder("queen.queue.metrics.age", this, QueueDepths::age)
                .baseUnit("seconds")
                .description("Time since depth and lag were looked up")
                .register(registry);
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    void start(@Observes StartupEvent event) {
        PeriodicTask task = tasks.paced(config.statsIntervalMs(), "Looking at the depth of queues fails", this::look)
                .sayingWhenBack("Looking at the depth of queues works again");
        schema.onReady(task::runNow);
    }

    /** Read by every scrape, which is how one is noticed. */
    private double age() {
        lastAsked = System.nanoTime();
        return lastLook == 0 ? Double.NaN : (lastAsked - lastLook) / 1e9;
    }

    /** Done when depth and lag are known, or can't be: a look that fails is not repeated before its time. */
    public Uni<Void> current() {
        lastAsked = System.nanoTime();
        boolean failedLately = lastFailure != 0
                && lastAsked - lastFailure
                        < Duration.ofMillis(config.statsIntervalMs()).toNanos();
        return lastLook != 0 || failedLately || !schema.ready()
                ? Uni.createFrom().voidItem()
                : lags().replaceWithVoid();
    }

    /** A call while a look is under way gets the answer of that look. */
    private synchronized Uni<List<Lag>> lags() {
        if (underWay == null) {
            underWay = store.lags(config.maxQueues())
                    .invoke(this::tell)
                    .onFailure()
                    .invoke(this::failed)
                    .onTermination()
                    .invoke(this::ended)
                    .memoize()
                    .indefinitely();
        }
        return underWay;
    }

    private synchronized void ended() {
        underWay = null;
    }

    private void failed() {
        lastFailure = System.nanoTime();
        tell(List.of());
    }

    private Uni<Long> look() {
        tellParked();
        if (System.nanoTime() - lastAsked > ASKED_LATELY) {
            tell(List.of());
            return Uni.createFrom().item((long) config.statsIntervalMs());
        }
        long start = System.nanoTime();
        return lags().map(lags -> Math.max(config.statsIntervalMs(), PAUSES * (System.nanoTime() - start) / 1_000_000));
    }

    private void tell(List<Lag> lags) {
        Map<String, Lag> queues = new HashMap<>();
        lags.forEach(lag -> queues.put(lag.queue(), lag));
        List<Row<?>> depths = new ArrayList<>();
        List<Row<?>> letters = new ArrayList<>();
        queues.values().forEach(lag -> {
            depths.add(Row.of(Tags.of("queue", lag.queue()), lag.depth()));
            letters.add(Row.of(Tags.of("queue", lag.queue()), lag.deadLetters()));
        });
        depth.register(depths, true);
        deadLetters.register(letters, true);
        long all = queues.values().stream().mapToLong(Lag::deadLetters).sum();
        allDeadLetters.register(lags.isEmpty() ? List.of() : List.of(Row.of(Tags.of("scope", "cluster"), all)), true);
        tellGroups(lags.stream().filter(lag -> lag.group() != null).toList());
        lastLook = lags.isEmpty() ? 0 : System.nanoTime();
    }

    private void tellGroups(List<Lag> lags) {
        List<Row<?>> messages = new ArrayList<>();
        List<Row<?>> seconds = new ArrayList<>();
        for (Lag lag : lags) {
            Tags tags = Tags.of("queue", lag.queue(), "group", lag.group());
            messages.add(Row.of(tags, lag.messages()));
            seconds.add(Row.of(tags, lag.seconds()));
        }
        lagMessages.register(messages, true);
        lagSeconds.register(seconds, true);
    }

    private void tellParked() {
        List<Row<?>> waiting = new ArrayList<>();
        counters.queues().forEach((queue, known) -> {
            if (waiting.size() < config.maxQueues()) {
                waiting.add(Row.of(Tags.of("queue", queue), known, it -> (double) it.parked()));
            }
        });
        parked.register(waiting, true);
    }
}
