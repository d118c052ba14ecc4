package io.queen.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.Map;

/** Answered HTTP requests, summed from what Micrometer measures anyway; {@code rate} is per second since the start. */
@Singleton
final class RequestMetrics implements MetricsSection {
    private final MeterRegistry registry;
    private final Uptime uptime;

    RequestMetrics(MeterRegistry registry, Uptime uptime) {
        this.registry = registry;
        this.uptime = uptime;
    }

    @Override
    public String name() {
        return "requests";
    }

    @Override
    public Map<String, ?> values() {
        long total = registry.find("http.server.requests").timers().stream()
                .mapToLong(Timer::count)
                .sum();
        return Map.of("total", total, "rate", total / Math.max(1, uptime.seconds()));
    }
}
