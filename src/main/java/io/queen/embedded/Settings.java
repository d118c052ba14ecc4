package io.queen.embedded;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code queen.conf}: how the embedded PostgreSQL differs from a default one, and why. Written at every start. */
final class Settings {
    private static final List<Setting> FIXED = List.of(
            new Setting("listen_addresses", "'127.0.0.1'", "this machine alone"),
            new Setting("unix_socket_directories", "''", "one way in, with a password"),
            new Setting("fsync", "on", "a queued message survives a crash of the machine"),
            new Setting("synchronous_commit", "on", "an answer means that the message is on disk"),
            new Setting("full_page_writes", "on", "a page torn by a crash is repaired"),
            new Setting("max_connections", "200", "every pool at its default, several times over"),
            new Setting("shared_buffers", "256MB", "the tail of every queue; what is read once stays out of the way"),
            new Setting("max_wal_size", "2GB", "few checkpoints: each one makes every page cost a full image again"),
            new Setting("min_wal_size", "256MB", "log files are recycled, not created, under load"),
            new Setting("checkpoint_timeout", "15min", "as above, for a steady load"),
            new Setting("checkpoint_completion_target", "0.9", "checkpoints write evenly, without a stall"),
            new Setting("wal_compression", "pglz", "full images are most of the log, and compress well"),
            new Setting("autovacuum_naptime", "10s", "cursor rows are updated all the time: clean often, a little"),
            new Setting("autovacuum_vacuum_cost_delay", "1ms", "cleaning keeps up with a busy queue"),
            new Setting("random_page_cost", "1.1", "solid-state disks: an index is the way to a message"),
            new Setting("jit", "off", "statements take less time than compiling them"),
            new Setting("max_parallel_workers_per_gather", "0", "short statements; no need of /dev/shm in containers"),
            new Setting("timezone", "'UTC'", "times mean the same on every machine"),
            new Setting("log_timezone", "'UTC'", "as above"),
            new Setting("log_checkpoints", "off", "the log tells what is wrong, not what is usual"),
            new Setting("log_min_error_statement", "panic", "no payload in the log"),
            new Setting("log_error_verbosity", "terse", "no key of a message in the log"));
    private static final Setting STATEMENTS =
            new Setting("shared_preload_libraries", "'pg_stat_statements'", "which statement takes the time");

    private record Setting(String name, String value, String reason) {
        @Override
        public String toString() {
            return name + " = " + value + "  # " + reason;
        }
    }

    private Settings() {}

    static String text(int port, boolean statementStatistics) {
        Setting listener = new Setting("port", Integer.toString(port), "a free one at every start");
        Stream<Setting> settings = Stream.concat(Stream.of(listener), FIXED.stream());
        return Stream.concat(settings, statementStatistics ? Stream.of(STATEMENTS) : Stream.empty())
                .map(Setting::toString)
                .collect(Collectors.joining("\n", "# Rewritten at every start; use ALTER SYSTEM to differ.\n", "\n"));
    }
}
