package io.queen.embedded;

/** {@code queen.conf}: how the embedded PostgreSQL differs from a default one, and why. Written at every start. */
final class Settings {
    private static final String FIXED = """
            listen_addresses = '127.0.0.1'  # this machine alone
            unix_socket_directories = ''  # one way in, with a password
            fsync = on  # a queued message survives a crash of the machine
            synchronous_commit = on  # an answer means that the message is on disk
            full_page_writes = on  # a page torn by a crash is repaired
            max_connections = 200  # every pool at its default, several times over
            shared_buffers = 256MB  # the tail of every queue; what is read once stays out of the way
            max_wal_size = 2GB  # few checkpoints: each one makes every page cost a full image again
            min_wal_size = 256MB  # log files are recycled, not created, under load
            checkpoint_timeout = 15min  # as above, for a steady load
            checkpoint_completion_target = 0.9  # checkpoints write evenly, without a stall
            wal_compression = pglz  # full images are most of the log, and compress well
            autovacuum_naptime = 10s  # cursor rows are updated all the time: clean often, a little
            autovacuum_vacuum_cost_delay = 1ms  # cleaning keeps up with a busy queue
            random_page_cost = 1.1  # solid-state disks: an index is the way to a message
            jit = off  # statements take less time than compiling them
            max_parallel_workers_per_gather = 0  # short statements; no need of /dev/shm in containers
            timezone = 'UTC'  # times mean the same on every machine
            log_timezone = 'UTC'  # as above
            log_checkpoints = off  # the log tells what is wrong, not what is usual
            log_min_error_statement = panic  # no payload in the log
            log_error_verbosity = terse  # no key of a message in the log
            """;
    private static final String STATEMENTS =
            "shared_preload_libraries = 'pg_stat_statements'  # which statement takes the time\n";

    private Settings() {}

    static String text(int port, boolean statementStatistics) {
        return "# Rewritten at every start; use ALTER SYSTEM to differ.\n"
                + "port = " + port + "  # a free one at every start\n"
                + FIXED
                + (statementStatistics ? STATEMENTS : "");
    }
}
