package io.queen.history;

import io.queen.testing.Sql;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Kills PostgreSQL and takes away what it wrote to its log in the last second, as a disk does that acknowledged the
 * writes and kept them in a cache without a battery. No checkpoint has come in between: only the log is concerned.
 */
final class LostFsync {
    private static final String FLUSHED =
            "select l.file_name, l.file_offset from pg_walfile_name_offset(pg_current_wal_flush_lsn()) l";
    private static final int LOST_MILLIS = 1000;

    private LostFsync() {}

    static void strike(Postgres postgres) {
        Map<String, Object> kept;
        try (Sql sql = postgres.connect()) {
            kept = sql.row(FLUSHED);
        }
        Faults.pass(LOST_MILLIS);
        postgres.kill();
        try {
            forget(postgres.data().resolve("pg_wal"), (String) kept.get("file_name"), (int) kept.get("file_offset"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        postgres.startAgain();
    }

    /** The rest of that file is as it was before: zeros. Later files never were. */
    private static void forget(Path log, String name, int offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.resolve(name).toFile(), "rw")) {
            file.seek(offset);
            file.write(new byte[(int) (file.length() - offset)]);
        }
        try (Stream<Path> files = Files.list(log)) {
            for (Path later : files.filter(path -> isLater(path, name)).toList()) {
                Files.delete(later);
            }
        }
    }

    private static boolean isLater(Path path, String name) {
        String other = path.getFileName().toString();
        return other.matches("[0-9A-F]{24}") && other.compareTo(name) > 0;
    }
}
