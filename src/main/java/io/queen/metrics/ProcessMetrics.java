package io.queen.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * CPU and memory of the process, for Prometheus, {@code GET /metrics} and the series. Micrometer's own binders know the
 * CPU time as a whole and the memory of the JVM; time in the kernel and memory in RAM are read from {@code /proc}.
 */
@Startup
@Singleton
final class ProcessMetrics implements SampleSource {
    /** A share of 1 in hundredths of a percent. */
    private static final double SCALE = 10_000;

    private ProcessStats last = ProcessStats.read();
    private long lastNanos = System.nanoTime();

    ProcessMetrics(MeterRegistry registry) {
        cpu(registry, "queen.cpu.user", "CPU time in the program", ProcessStats::userMicros);
        cpu(
                registry,
                "queen.cpu.system",
                "CPU time in the kernel on behalf of the program",
                ProcessStats::systemMicros);
        memory(registry, "queen.process.resident.memory", "Memory in RAM", ProcessStats::residentBytes);
        memory(registry, "queen.process.virtual.memory", "Address space", ProcessStats::virtualBytes);
    }

    private void cpu(MeterRegistry registry, String name, String text, ToDoubleFunction<ProcessStats> value) {
        FunctionCounter.builder(name, this, self -> value.applyAsDouble(ProcessStats.read()))
                .baseUnit("microseconds")
                .description(text)
                .register(registry);
    }

    private void memory(MeterRegistry registry, String name, String text, ToDoubleFunction<ProcessStats> value) {
        Gauge.builder(name, this, self -> value.applyAsDouble(ProcessStats.read()))
                .baseUnit("bytes")
                .description(text)
                .register(registry);
    }

    @Produces
    @Singleton
    MetricsSection cpuSection() {
        return MetricsSection.of("cpu", () -> {
            ProcessStats stats = ProcessStats.read();
            return Map.of("user", stats.userMicros(), "system", stats.systemMicros());
        });
    }

    /** {@code external} and {@code arrayBuffers} mean nothing in Java; dashboards expect them. */
    @Produces
    @Singleton
    MetricsSection memorySection() {
        Runtime runtime = Runtime.getRuntime();
        return MetricsSection.of(
                "memory",
                () -> Map.ofEntries(
                        Map.entry("rss", ProcessStats.read().residentBytes()),
                        Map.entry("heapTotal", runtime.totalMemory()),
                        Map.entry("heapUsed", runtime.totalMemory() - runtime.freeMemory()),
                        Map.entry("external", 0L),
                        Map.entry("arrayBuffers", 0L)));
    }

    /** CPU in hundredths of a percent of one core since the last look. */
    @Override
    public synchronized Map<String, Double> sample() {
        ProcessStats now = ProcessStats.read();
        long nanos = System.nanoTime();
        double perMicro = SCALE / Math.max(1, (nanos - lastNanos) / 1000.0);
        Map<String, Double> values = Map.ofEntries(
                Map.entry("cpuUser", (now.userMicros() - last.userMicros()) * perMicro),
                Map.entry("cpuSystem", (now.systemMicros() - last.systemMicros()) * perMicro),
                Map.entry("rssBytes", (double) now.residentBytes()),
                Map.entry("virtualBytes", (double) now.virtualBytes()));
        last = now;
        lastNanos = nanos;
        return values;
    }
}
