package io.queen.sidecar;

import io.micrometer.core.instrument.MeterRegistry;
import io.queen.config.QueenConfig;
import io.queen.metrics.Complaints;
import io.queen.metrics.MetricsSection;
import io.queen.metrics.SampleSource;
import io.queen.runtime.EventLoops;
import io.queen.tracing.Tracing;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of all operations; the member {@code sidecar} of {@code GET /metrics}. */
@Singleton
public final class SidecarMetrics implements MetricsSection, SampleSource {
    private final Map<Operation, OperationMetrics> operations = new EnumMap<>(Operation.class);
    private final int connections;

    SidecarMetrics(
            MeterRegistry registry, QueenConfig config, EventLoops loops, Complaints complaints, Tracing tracing) {
        connections = loops.share(config.sidecar().poolSize()) * loops.all().size();
        for (Operation operation : Operation.values()) {
            operations.put(operation, new OperationMetrics(registry, operation, complaints, tracing));
        }
    }

    public OperationMetrics of(Operation operation) {
        return operations.get(operation);
    }

    /** A batch in flight has a connection of its own; what is left is free. */
    @Override
    public Map<String, Double> sample() {
        long waiting = operations.values().stream()
                .mapToLong(OperationMetrics::waiting)
                .sum();
        long inFlight = operations.values().stream()
                .mapToLong(OperationMetrics::inFlight)
                .sum();
        return Map.of(
                "jobQueueSize", (double) waiting,
                "freeSlots", (double) Math.max(0, connections - inFlight),
                "dbConnections", (double) connections);
    }

    @Override
    public String name() {
        return "sidecar";
    }

    @Override
    public Map<String, ?> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        operations.forEach((operation, metrics) -> values.put(operation.label(), metrics.values()));
        return Map.of("operations", values);
    }
}
