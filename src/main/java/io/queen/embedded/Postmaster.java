package io.queen.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process that {@code postmaster.pid} names. A server that was killed leaves its PostgreSQL running; a machine that
 * was switched off leaves the file, and by the next start its number may be some other program's.
 */
final class Postmaster {
    private Postmaster() {}

    /** The running PostgreSQL of this cluster, if there is one. */
    static Optional<ProcessHandle> running(Path cluster) throws IOException {
        return process(cluster).filter(process -> isPostgresOf(process, cluster));
    }

    /**
     * Removes a file that names the process of another program: PostgreSQL would take it for its own and refuse to start. A file
     * that names no process is left to PostgreSQL, which first makes sure that no part of the old server still runs.
     */
    static void removeForeignFile(Path cluster) throws IOException {
        if (process(cluster).isPresent() && running(cluster).isEmpty()) {
            Files.deleteIfExists(file(cluster));
        }
    }

    private static Optional<ProcessHandle> process(Path cluster) throws IOException {
        return pid(cluster).flatMap(ProcessHandle::of).filter(ProcessHandle::isAlive);
    }

    private static Optional<Long> pid(Path cluster) throws IOException {
        if (!Files.exists(file(cluster))) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file(cluster));
        return lines.stream()
                .limit(1)
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .findFirst();
    }

    private static boolean isPostgresOf(ProcessHandle process, Path cluster) {
        ProcessHandle.Info info = process.info();
        boolean postgres = info.command()
                .filter(command -> command.contains("/bin/postgres"))
                .isPresent();
        return postgres && info.arguments().map(List::of).orElse(List.of()).contains(cluster.toString());
    }

    private static Path file(Path cluster) {
        return cluster.resolve("postmaster.pid");
    }
}
