package io.queen.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** What cycles did on this server. How long they take is told by the figures of the sidecar. */
@Singleton
final class StreamMetrics {
    private final Counter applied;
    private final Counter refused;
    private final Counter operations;

    StreamMetrics(MeterRegistry registry) {
        applied = cycles(registry, "applied");
        refused = cycles(registry, "refused");
        operations = Counter.builder("queen.streams.state.operations")
                .description("State operations of cycles that were applied")
                .register(registry);
    }

    private static Counter cycles(MeterRegistry registry, String outcome) {
        return Counter.builder("queen.streams.cycles")
                .description("Cycles by what became of them")
                .tag("outcome", outcome)
                .register(registry);
    }

    void cycle(Cycle cycle, CycleResult result) {
        if (result.error() == null) {
            applied.increment();
            operations.increment(cycle.operationCount());
        } else {
            refused.increment();
        }
    }
}
