package io.queen.buffer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.queen.runtime.PeriodicTasks;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.function.Supplier;

/**
 * How much the file buffer holds, and how much room its disk has. The disk is asked every ten seconds on a thread that may
 * block, so that one that hangs holds up no scrape; its last answer stands.
 */
@Singleton
final class DiskRoom {
    private static final long EVERY_MS = 10_000;

    private final BufferFiles files;
    private final PeriodicTasks tasks;
    private volatile double free = Double.NaN;
    private volatile double size = Double.NaN;

    DiskRoom(BufferFiles files, Backlog backlog, PeriodicTasks tasks, MeterRegistry registry) {
        this.files = files;
        this.tasks = tasks;
        bytes(registry, "queen.file.buffer", "What the file buffer takes on disk", backlog::bytes);
        bytes(registry, "queen.file.buffer.max", "What the file buffer may take on disk", files::maxBytes);
        bytes(registry, "queen.file.buffer.disk.free", "Room on the disk of the file buffer", () -> free);
        bytes(registry, "queen.file.buffer.disk", "Size of the disk of the file buffer", () -> size);
    }

    private static void bytes(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).baseUnit("bytes").description(description).register(registry);
    }

    void start(@Observes StartupEvent event) {
        tasks.blocking(EVERY_MS, "The disk of the file buffer can't be looked at", this::look)
                .runNow();
    }

    private void look() throws IOException {
        FileStore store = Files.getFileStore(Disk.nearest(files.directory()));
        size = store.getTotalSpace();
        free = store.getUsableSpace();
    }
}
