package io.queen.series;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.metrics.SampleSource;
import io.queen.metrics.Samples;
import io.queen.runtime.EventLoops;
import io.queen.runtime.PeriodicTasks;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks every second at everything that can be sampled. How late its own timer comes on each event loop is the lag of
 * that loop; the rest is read on a worker thread.
 */
@Singleton
final class Sampler {
    private final EventLoops loops;
    private final PeriodicTasks tasks;
    private final long everyNanos;
    private final Samples samples;
    private final List<SampleSource> sources;
    private final List<ScheduledFuture<?>> timers = new ArrayList<>();

    Sampler(
            EventLoops loops,
            PeriodicTasks tasks,
            QueenConfig config,
            Samples samples,
            @All List<SampleSource> sources) {
        this.loops = loops;
        this.tasks = tasks;
        this.everyNanos = TimeUnit.MILLISECONDS.toNanos(config.metrics().sampleIntervalMs());
        this.samples = samples;
        this.sources = sources;
    }

    void start(@Observes StartupEvent event) {
        loops.all().forEach(this::measure);
        tasks.blocking(TimeUnit.NANOSECONDS.toMillis(everyNanos), "The server's samples are not taken", this::sample)
                .start();
    }

    void stop(@Observes ShutdownEvent event) {
        timers.forEach(timer -> timer.cancel(false));
    }

    private void measure(EventExecutor loop) {
        long[] due = {System.nanoTime() + everyNanos};
        timers.add(loop.scheduleAtFixedRate(
                () -> {
                    samples.add("eventLoopLagMs", Math.max(0, System.nanoTime() - due[0]) / 1e6);
                    due[0] += everyNanos;
                },
                everyNanos,
                everyNanos,
                TimeUnit.NANOSECONDS));
    }

    private Void sample() {
        sources.forEach(source -> source.sample().forEach(samples::add));
        return null;
    }
}
