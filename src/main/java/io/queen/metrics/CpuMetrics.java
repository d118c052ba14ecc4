package io.queen.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.Map;

/** CPU time of the process, in microseconds. */
@Startup
@Singleton
final class CpuMetrics implements MetricsSection {

    CpuMetrics(MeterRegistry registry) {
        FunctionCounter.builder(
                        "queen.cpu.user", this, cpu -> ProcessStats.read().userMicros())
                .baseUnit("microseconds")
                .description("CPU time in the program")
                .register(registry);
        FunctionCounter.builder(
                        "queen.cpu.system", this, cpu -> ProcessStats.read().systemMicros())
                .baseUnit("microseconds")
                .description("CPU time in the kernel on behalf of the program")
                .register(registry);
    }

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public Map<String, ?> values() {
        ProcessStats stats = ProcessStats.read();
        return Map.of("user", stats.userMicros(), "system", stats.systemMicros());
    }
}
