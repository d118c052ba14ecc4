package io.queen.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.Map;

/** Memory of the process. */
@Startup
@Singleton
final class MemoryMetrics implements MetricsSection {

    MemoryMetrics(MeterRegistry registry) {
        Gauge.builder("queen.process.resident.memory", () -> ProcessStats.read().residentBytes())
                .baseUnit("bytes")
                .description("Memory in RAM")
                .register(registry);
        Gauge.builder("queen.process.virtual.memory", () -> ProcessStats.read().virtualBytes())
                .baseUnit("bytes")
                .description("Address space")
                .register(registry);
    }

    @Override
    public String name() {
        return "memory";
    }

    /** {@code external} and {@code arrayBuffers} mean nothing in Java; dashboards expect them. */
    @Override
    public Map<String, ?> values() {
        Runtime runtime = Runtime.getRuntime();
        return Map.of(
                "rss",
                ProcessStats.read().residentBytes(),
                "heapTotal",
                runtime.totalMemory(),
                "heapUsed",
                runtime.totalMemory() - runtime.freeMemory(),
                "external",
                0,
                "arrayBuffers",
                0);
    }
}
