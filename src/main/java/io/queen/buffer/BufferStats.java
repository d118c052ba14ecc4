package io.queen.buffer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.queen.metrics.MetricsSection;
import io.queen.store.Database;
import jakarta.inject.Singleton;
import java.util.Map;

/** The state of the file buffer, for people and for metrics. Nothing here touches the disk. */
@Startup
@Singleton
public final class BufferStats implements MetricsSection {
    private final HeldLanes lanes;
    private final FailedRecords failed;
    private final Appender appender;
    private final Database database;

    BufferStats(HeldLanes lanes, FailedRecords failed, Appender appender, Database database, MeterRegistry registry) {
        this.lanes = lanes;
        this.failed = failed;
        this.appender = appender;
        this.database = database;
        Gauge.builder("queen.file.buffer.pending", this::pending)
                .description("Buffered messages that are not in the database yet")
                .register(registry);
        Gauge.builder("queen.file.buffer.failed", this::failedFiles)
                .description("Records set aside because they can't be stored")
                .register(registry);
        Gauge.builder("queen.file.buffer.db.healthy", () -> databaseHealthy() ? 1 : 0)
                .description("1 while PostgreSQL can be reached")
                .register(registry);
    }

    /** Messages that are not in the database yet. */
    public long pending() {
        return lanes.messages();
    }

    /** Records that were set aside; each is a file. */
    public int failedFiles() {
        return failed.summary().count();
    }

    public long failedBytes() {
        return failed.summary().bytes();
    }

    /** Whether the disk took what was written last. */
    public boolean healthy() {
        return appender.isHealthy();
    }

    /** Whether PostgreSQL could be reached when it was last tried. */
    public boolean databaseHealthy() {
        return database.isThere();
    }

    @Override
    public String name() {
        return "buffer";
    }

    @Override
    public Map<String, ?> values() {
        return Map.of(
                "pending", pending(), "failed", failedFiles(), "failedBytes", failedBytes(), "healthy", healthy());
    }
}
