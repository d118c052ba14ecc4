package io.queen.buffer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.metrics.MetricsSection;
import io.queen.runtime.PeriodicTasks;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The state of the file buffer and of its disk, for people and for metrics. The disk is asked every ten seconds on a
 * thread that may block, so that one that hangs holds up no scrape; its last answer stands.
 */
@Singleton
public final class BufferStats implements MetricsSection {
    private static final long ASK_DISK_EVERY_MS = 10_000;

    private final BufferedPartitions partitions;
    private final FailedRecords failed;
    private final Appender appender;
    private final Database database;
    private final BufferFiles files;
    private final PeriodicTasks tasks;
    private volatile double diskFree = Double.NaN;
    private volatile double diskSize = Double.NaN;

    BufferStats(
            BufferedPartitions partitions,
            FailedRecords failed,
            Appender appender,
            Database database,
            BufferFiles files,
            Journal journal,
            PeriodicTasks tasks,
            MeterRegistry registry) {
        this.partitions = partitions;
        this.failed = failed;
        this.appender = appender;
        this.database = database;
        this.files = files;
        this.tasks = tasks;
        number(
                registry,
                "queen.file.buffer.pending",
                "Buffered messages that are not in the database yet",
                partitions::messages);
        number(
                registry,
                "queen.file.buffer.failed",
                "Records set aside because they can't be stored",
                () -> failed.summary().count());
        number(
                registry,
                "queen.file.buffer.db.healthy",
                "1 while PostgreSQL can be reached",
                () -> database.isThere() ? 1 : 0);
        bytes(registry, "queen.file.buffer", "What the file buffer takes on disk", journal::bytes);
        bytes(registry, "queen.file.buffer.max", "What the file buffer may take on disk", files::maxBytes);
        bytes(registry, "queen.file.buffer.disk.free", "Room on the disk of the file buffer", () -> diskFree);
        bytes(registry, "queen.file.buffer.disk", "Size of the disk of the file buffer", () -> diskSize);
    }

    private static void number(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private static void bytes(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).baseUnit("bytes").description(description).register(registry);
    }

    void start(@Observes StartupEvent event) {
        tasks.blocking(ASK_DISK_EVERY_MS, "The disk of the file buffer can't be looked at", this::askDisk)
                .runNow();
    }

    private Void askDisk() throws IOException {
        FileStore store = Files.getFileStore(Disk.nearest(files.directory()));
        diskSize = store.getTotalSpace();
        diskFree = store.getUsableSpace();
        return null;
    }

    public BufferFigures figures() {
        FailedRecords.Summary aside = failed.summary();
        return new BufferFigures(
                partitions.messages(), aside.count(), aside.bytes(), appender.isHealthy(), database.isThere());
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
