package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sessions whose other end is gone without a word, as after a failover. */
class SessionWatchTest {
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final String SLEEP = "select pg_sleep(600)";

    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void watch_postgresKnowsTheSessionNoMore_endsIt() throws Exception {
        try (MuteProxy proxy = new MuteProxy(postgres.port());
                MigrationSessions sessions = sessions(proxy.port());
                Connection connection = sessions.getConnection();
                SessionWatch watch = new SessionWatch(sessions, false, EVERY)) {
            watch.start();
            int process = sessions.processes().iterator().next();
            CompletableFuture<Void> asleep = asleep(connection);
            try (Sql sql = Sql.open(postgres)) {
                sql.run("select pg_terminate_backend(?)", process);
            }
            assertThatThrownBy(() -> asleep.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void watch_statementTakesItsTime_letsItBe() throws Exception {
        try (MigrationSessions sessions = sessions(postgres.port());
                Connection connection = sessions.getConnection();
                SessionWatch watch = new SessionWatch(sessions, false, EVERY);
                Statement statement = connection.createStatement()) {
            watch.start();
            // Ten looks and more.
            assertThat(statement.execute("select pg_sleep(1.5)")).isTrue();
            assertThat(sessions.processes()).hasSize(1);
        }
    }

    @Test
    void close_always_endsWhatWasOpened() throws Exception {
        MigrationSessions sessions = sessions(postgres.port());
        try (Connection first = sessions.getConnection();
                Connection second = sessions.getConnection()) {
            sessions.close();
            assertThat(first.isClosed()).isTrue();
            assertThat(second.isClosed()).isTrue();
        }
    }

    private static CompletableFuture<Void> asleep(Connection connection) {
        return CompletableFuture.runAsync(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(SLEEP);
            } catch (SQLException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    private MigrationSessions sessions(int port) {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/" + postgres.database();
        return MigrationSessions.unlimited(url, postgres.user(), postgres.password(), 5);
    }
}
