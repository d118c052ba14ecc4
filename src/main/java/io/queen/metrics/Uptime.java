package io.queen.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.time.Duration;

/** How long the server runs. */
@Startup
@Singleton
public final class Uptime {
    private final long startedAt = System.nanoTime();

    Uptime(MeterRegistry registry) {
        Gauge.builder("queen.uptime", this::seconds)
                .baseUnit("seconds")
                .description("Time since the server started")
                .register(registry);
    }

    public double seconds() {
        return Duration.ofNanos(System.nanoTime() - startedAt).toMillis() / 1000.0;
    }
}
