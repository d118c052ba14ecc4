package io.queen.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;

/** What is done with the meters that the libraries make. */
@Singleton
final class LibraryMeters {
    /** Those that the driver makes for each single connection say less than those of the sidecar, and are many. */
    @Produces
    @Singleton
    MeterFilter withoutSingleConnections() {
        return MeterFilter.denyNameStartsWith("queen-");
    }

    /** Answered HTTP requests, summed from what Micrometer measures anyway; {@code rate} is per second since the start. */
    @Produces
    @Singleton
    MetricsSection requests(MeterRegistry registry, Uptime uptime) {
        return MetricsSection.of("requests", () -> {
            long total = registry.find("http.server.requests").timers().stream()
                    .mapToLong(Timer::count)
                    .sum();
            return Map.of("total", total, "rate", total / Math.max(1, uptime.seconds()));
        });
    }
}
