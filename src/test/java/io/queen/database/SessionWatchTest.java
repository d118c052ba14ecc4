package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.Sql;
import io.queen.embedded.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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

    /** Passes bytes on, and says nothing when PostgreSQL hangs up. */
    private static final class MuteProxy implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final int target;

        MuteProxy(int target) throws IOException {
            this.target = target;
            daemon(this::accept);
        }

        int port() {
            return server.getLocalPort();
        }

        private void accept() throws IOException {
            while (true) {
                Socket client = server.accept();
                Socket postgres = new Socket(InetAddress.getLoopbackAddress(), target);
                daemon(() -> client.getInputStream().transferTo(postgres.getOutputStream()));
                daemon(() -> postgres.getInputStream().transferTo(new Untold(client)));
            }
        }

        /** The last words of PostgreSQL (it ends the session) do not arrive either. */
        private static final class Untold extends java.io.OutputStream {
            private final Socket client;

            Untold(Socket client) {
                this.client = client;
            }

            @Override
            public void write(int single) throws IOException {
                client.getOutputStream().write(single);
            }

            @Override
            public void write(byte[] bytes, int start, int length) throws IOException {
                String text = new String(bytes, start, length, java.nio.charset.StandardCharsets.ISO_8859_1);
                if (!text.contains("57P01")) {
                    client.getOutputStream().write(bytes, start, length);
                }
            }
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void daemon(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException e) {
                    // Closed.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
