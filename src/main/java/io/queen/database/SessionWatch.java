package io.queen.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Ends the sessions of an attempt that get no answer any more: PostgreSQL is frozen, or has gone with its machine
 * without closing them, and a standby may be in its place. A limit on the time of a statement would end a long migration
 * too; instead PostgreSQL is asked, over a fresh connection, whether it still knows the sessions. Those that it did not know
 * twice are ended.
 */
final class SessionWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SessionWatch.class);
    private static final String KNOWN = "select pid from pg_stat_activity where pid = any (?)";

    private final MigrationSessions watched;
    private final MigrationSessions own;
    private final boolean pooler;
    private final Duration every;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** @param pooler whether processes are those of a pooler, which PostgreSQL does not know */
    SessionWatch(MigrationSessions watched, boolean pooler, Duration every) {
        this.watched = watched;
        this.own = watched.quick();
        this.pooler = pooler;
        this.every = every;
    }

    void start() {
        Thread thread = new Thread(this::watch, "queen-schema-watch");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        ended.countDown();
    }

    private void watch() {
        Set<Integer> before = Set.of();
        try {
            while (!ended.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                Set<Integer> unknown = unknown();
                if (unknown.stream().anyMatch(before::contains)) {
                    LOG.warn("PostgreSQL does not know the sessions of the migration any more: they are given up");
                    watched.abort();
                }
                before = unknown;
            }
        } catch (InterruptedException | SQLException e) {
            LOG.debug("The sessions of the migration have ended", e);
        } finally {
            own.close();
        }
    }

    private Set<Integer> unknown() throws SQLException {
        Set<Integer> processes = watched.processes();
        if (processes.isEmpty()) {
            return processes;
        }
        Set<Integer> unknown = new HashSet<>(processes);
        try (Connection connection = own.getConnection()) {
            unknown.removeAll(pooler ? processes : known(connection, processes));
        } catch (SQLException e) {
            if (MigrationSessions.isAnswer(e)) {
                unknown.clear();
            }
        }
        return unknown;
    }

    private static Set<Integer> known(Connection connection, Set<Integer> processes) throws SQLException {
        Set<Integer> known = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
            statement.setArray(1, connection.createArrayOf("int4", processes.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    known.add(rows.getInt(1));
                }
            }
        }
        return known;
    }
}
