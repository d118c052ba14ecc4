package io.queen.database;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.queen.metrics.MetricsSection;
import io.queen.metrics.SampleSource;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.Supplier;

/** Connections of the general pool. */
@Startup
@Singleton
final class PoolMetrics implements MetricsSection, SampleSource {
    private final MeterRegistry registry;
    private final Database database;

    PoolMetrics(MeterRegistry registry, Database database) {
        this.registry = registry;
        this.database = database;
        gauge("queen.db.pool.size", "Open connections of the general pool", this::size);
        gauge("queen.db.pool.idle", "Connections of the general pool that wait for work", this::idle);
        gauge("queen.db.pool.active", "Connections of the general pool at work", this::active);
    }

    @Override
    public String name() {
        return "database";
    }

    @Override
    public Map<String, ?> values() {
        return Map.of("poolSize", size(), "idleConnections", idle(), "waitingRequests", measured("queue.size"));
    }

    @Override
    public Map<String, Double> sample() {
        return Map.of("poolSize", (double) size(), "poolIdle", (double) idle(), "poolActive", (double) active());
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private long size() {
        return database.pool().size();
    }

    private long active() {
        return Math.min(size(), measured("active"));
    }

    private long idle() {
        return size() - active();
    }

    /** What the client itself reports of the pool; the pool has no method for it. */
    private long measured(String what) {
        Gauge gauge = registry.find("sql.pool." + what)
                .tag("pool.name", database.poolName())
                .gauge();
        return gauge == null ? 0 : (long) gauge.value();
    }
}
