package io.queen.sidecar;

import io.micrometer.core.instrument.MeterRegistry;
import io.queen.metrics.MetricsSection;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of all operations; the member {@code sidecar} of {@code GET /metrics}. */
@Singleton
final class SidecarMetrics implements MetricsSection {
    private final Map<Operation, OperationMetrics> operations = new EnumMap<>(Operation.class);

    SidecarMetrics(MeterRegistry registry) {
        for (Operation operation : Operation.values()) {
            operations.put(operation, new OperationMetrics(registry, operation));
        }
    }

    OperationMetrics of(Operation operation) {
        return operations.get(operation);
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
