package io.queen.buffer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.queen.database.Database;
import io.queen.metrics.MetricsSection;
import jakarta.inject.Singleton;
import java.util.Map;

/** The state of the file buffer, for people and for metrics. Nothing here touches the disk. */
@Startup
@Singleton
public final class BufferStats implements MetricsSection {
    private final BufferedPartitions lanes;
    private final FailedRecords failed;
    private final Appender appender;
    private final Database database;

    BufferStats(
            BufferedPartitions lanes,
            FailedRecords failed,
            Appender appender,
            Database database,
            MeterRegistry registry) {
        this.lanes = lanes;
        this.failed = failed;
        this.appender = appender;
        this.database = database;
        Gauge.builder("queen.file.buffer.pending", lanes::messages)
                .description("Buffered messages that are not in the database yet")
                .register(registry);
        Gauge.builder("queen.file.buffer.failed", () -> failed.summary().count())
                .description("Records set aside because they can't be stored")
                .register(registry);
        Gauge.builder("queen.file.buffer.db.healthy", () -> database.isThere() ? 1 : 0)
                .description("1 while PostgreSQL can be reached")
                .register(registry);
    }

    public BufferFigures figures() {
        FailedRecords.Summary aside = failed.summary();
        return new BufferFigures(
                lanes.messages(), aside.count(), aside.bytes(), appender.isHealthy(), database.isThere());
    }

    @Override
    public String name() {
        return "buffer";
    }

    @Override
    public Map<String, ?> values() {
        BufferFigures now = figures();
        return Map.of(
                "pending",
                now.pending(),
                "failed",
                now.failedFiles(),
                "failedBytes",
                now.failedBytes(),
                "healthy",
                now.healthy());
    }
}
