package io.queen.admin.maintenance;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.buffer.BufferFigures;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answers about maintenance, field by field as published clients read them. */
@RegisterForReflection
final class MaintenanceAnswer {
    private static final double MEGABYTE = 1024 * 1024;

    private MaintenanceAnswer() {}

    record Switch(@Schema(required = true) boolean enabled) {}

    record State(
            boolean maintenanceMode,
            boolean popMaintenanceMode,

            @Schema(description = "Messages in the file buffer of this server")
            long bufferedMessages,

            boolean bufferHealthy,
            Buffer bufferStats) {}

    record Buffer(long pendingCount, long failedCount, boolean dbHealthy, Files failedFiles) {}

    /** Files of messages that the database refused. All come from pushes that could not reach it. */
    record Files(long count, long totalBytes, double totalMB, long failoverCount, long qos0Count) {}

    public record Push(boolean maintenanceMode, long bufferedMessages, boolean bufferHealthy, String message) {}

    record Pop(boolean popMaintenanceMode, String message) {}

    static State state(MaintenanceModes modes, BufferFigures figures) {
        Files files = new Files(
                figures.failedFiles(),
                figures.failedBytes(),
                figures.failedBytes() / MEGABYTE,
                figures.failedFiles(),
                0);
        return new State(
                modes.push(),
                modes.pop(),
                figures.pending(),
                figures.healthy(),
                new Buffer(figures.pending(), figures.failedFiles(), figures.databaseHealthy(), files));
    }
}
