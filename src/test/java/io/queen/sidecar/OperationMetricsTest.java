package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.metrics.Complaints;
import io.queen.tracing.Tracing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationMetricsTest {

    @Test
    void failed_always_isCountedAndSaid() {
        List<String> lines = new ArrayList<>();
        OperationMetrics metrics = new OperationMetrics(
                new SimpleMeterRegistry(), Operation.PUSH, new Complaints(() -> 0, lines::add), Tracing.OFF);
        metrics.failed(new IOException("no such function"));
        metrics.failed(new IOException("no such function"));
        assertThat(metrics.values()).containsEntry("errors", 2L);
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("A list (push) fails")
                .endsWith(": no such function");
    }
}
