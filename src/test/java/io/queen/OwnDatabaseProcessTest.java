package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server on a PostgreSQL that the environment names. */
class OwnDatabaseProcessTest {
    @TempDir
    Path directory;

    @Test
    void start_databaseNamedByVariables_usesItAndStartsNoOther() throws Exception {
        TestPostgres own = TestPostgres.shared().createDatabase("own");
        Map<String, String> environment = Map.of(
                "PG_HOST", own.host(),
                "PG_PORT", Integer.toString(own.port()),
                "PG_DB", "own",
                "PG_USER", own.user(),
                "PG_PASSWORD", own.password(),
                "QUEEN_DATA_DIR", directory.resolve("unused").toString());
        try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
            server.awaitLog("/own, user queen");
            assertThat(server.log()).doesNotContain(own.password());
            assertThat(Files.exists(directory.resolve("unused"))).isFalse();
        }
    }

    @Test
    void start_databaseAway_staysUpSaysWhyAndBecomesReady() throws Exception {
        Path data = directory.resolve("data");
        EmbeddedPostgres first = TestPostgres.start(data, 0);
        PostgresAddress address = first.address();
        first.close();
        try (ServerProcess server = ServerProcess.start(environment(address, address.password()))) {
            server.awaitLog("Cannot use PostgreSQL 127.0.0.1:" + address.port() + "/queen as user queen");
            server.awaitLog("not reachable yet");
            assertThat(server.status("/q/health/live")).isEqualTo(200);
            assertThat(server.log()).doesNotContain("\tat ").doesNotContain(address.password());
            try (EmbeddedPostgres back = TestPostgres.start(data, address.port())) {
                assertThat(back.address().port()).isEqualTo(address.port());
                server.awaitLog("The database is there").awaitReady();
            }
        }
    }

    @Test
    void start_wrongPassword_isSaidWithoutIt() throws Exception {
        PostgresAddress address = new PostgresAddress(TestPostgres.shared().port(), "queen", "not-the-password");
        try (ServerProcess server = ServerProcess.start(environment(address, "not-the-password"))) {
            server.awaitLog("password authentication failed");
            assertThat(server.isAlive()).isTrue();
            assertThat(server.log()).doesNotContain("not-the-password");
        }
    }

    private static Map<String, String> environment(PostgresAddress address, String password) {
        return Map.of(
                "PG_HOST", address.host(),
                "PG_PORT", Integer.toString(address.port()),
                "PG_DB", address.database(),
                "PG_USER", address.user(),
                "PG_PASSWORD", password);
    }
}
