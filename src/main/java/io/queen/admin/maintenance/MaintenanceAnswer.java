package io.queen.admin.maintenance;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.admin.maintenance.MaintenanceStore.Modes;
import io.queen.buffer.BufferFigures;

/** The answers about maintenance, field by field as published clients read them. */
@RegisterForReflection
final class MaintenanceAnswer {
    private static final double MEGABYTE = 1024 * 1024;

    private MaintenanceAnswer() {}

    record State(
            boolean maintenanceMode,
            boolean popMaintenanceMode,
            long bufferedMessages,
            boolean bufferHealthy,
            Buffer bufferStats) {
        static State of(Modes modes, BufferFigures buffer) {
            return new State(modes.push(), modes.pop(), buffer.pending(), buffer.healthy(), Buffer.of(buffer));
        }
    }

    record Buffer(long pendingCount, long failedCount, boolean dbHealthy, Files failedFiles) {
        static Buffer of(BufferFigures buffer) {
            long files = buffer.failedFiles();
            long bytes = buffer.failedBytes();
            return new Buffer(
                    buffer.pending(),
                    files,
                    buffer.databaseHealthy(),
                    new Files(files, bytes, bytes / MEGABYTE, files, 0));
        }
    }

    /** Files of messages that the database refused. All come from pushes that could not reach it. */
    record Files(long count, long totalBytes, double totalMB, long failoverCount, long qos0Count) {}

    record Push(boolean maintenanceMode, long bufferedMessages, boolean bufferHealthy, String message) {
        static Push of(Modes modes, BufferFigures buffer) {
            String message = modes.push()
                    ? "Pushes are written to the file buffer until this is switched off"
                    : "Pushes go to the database";
            return new Push(modes.push(), buffer.pending(), buffer.healthy(), message);
        }
    }

    record Pop(boolean popMaintenanceMode, String message) {
        static Pop of(Modes modes) {
            String message = modes.pop() ? "Pops are answered empty until this is switched off" : "Pops get messages";
            return new Pop(modes.pop(), message);
        }
    }
}
