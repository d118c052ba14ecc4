package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.ServerProcess;
import io.queen.testing.Skip;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged server on a PostgreSQL of its own. */
class EmbeddedProcessTest {
    @TempDir
    Path parent;

    @Test
    void restart_afterTerm_findsTheDataAndLeavesNoOrphan() throws Exception {
        try (ServerProcess first = start().awaitReady()) {
            assertThat(first.log()).contains("http://localhost:", data().toString(), "PG_HOST");
            remember("term");
        }
        assertThat(data().resolve("postgres/postmaster.pid")).doesNotExist();
        try (ServerProcess second = start().awaitReady()) {
            assertThat(second.isAlive()).isTrue();
            assertThat(remembered()).isEqualTo("term");
        }
    }

    @Test
    void restart_afterKill_recoversAndLosesNothing() throws Exception {
        ServerProcess first = start().awaitReady();
        remember("kill");
        first.kill();
        assertThat(data().resolve("postgres/postmaster.pid")).exists();
        try (ServerProcess second = start().awaitReady()) {
            assertThat(second.isAlive()).isTrue();
            assertThat(remembered()).isEqualTo("kill");
        }
        assertThat(data().resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void start_secondOnTheSameDirectory_isRefusedInASentence() throws Exception {
        try (ServerProcess first = start().awaitReady();
                ServerProcess second = start()) {
            assertThat(second.awaitExit()).isNotZero();
            assertThat(second.log()).contains("Another Queen", data().toString(), "QUEEN_DATA_DIR");
            assertThat(second.log()).doesNotContain("\tat ");
            assertThat(first.status("/q/health/ready")).isEqualTo(200);
        }
    }

    @Test
    void start_portIsTaken_isRefusedBeforePostgresStarts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                ServerProcess server = ServerProcess.start(
                        Map.of("QUEEN_DATA_DIR", data().toString(), "PORT", Integer.toString(taken.getLocalPort())))) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.log().strip())
                    .isEqualTo("Queen cannot start. Port " + taken.getLocalPort()
                            + " is in use; choose another with PORT or --port.");
        }
        assertThat(data()).doesNotExist();
    }

    @Test
    void start_portIsNoPort_isRefusedWithTheKey() throws Exception {
        for (String port : new String[] {"abc", "99999"}) {
            try (ServerProcess server =
                    ServerProcess.start(Map.of("QUEEN_DATA_DIR", data().toString(), "PORT", port))) {
                assertThat(server.awaitExit()).isNotZero();
                assertThat(server.log()).contains("queen.http.port (variable PORT)");
                assertThat(server.log()).doesNotContain("\tat ");
            }
        }
        assertThat(data().resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "QUEEN_ENCRYPTION_KEY, topsecretbuttooshort, 64 hex digits",
        "QUEEN_ENCRYPTION_KEYS, a:topsecretbuttooshort, 64 hex digits",
        "JWT_SECRET, topsecretbuttooshort, needs at least 32"
    })
    void start_secretIsNone_isRefusedWithoutSayingIt(String setting, String value, String rule) throws Exception {
        Map<String, String> environment = Map.of(
                "QUEEN_DATA_DIR", data().toString(), "JWT_ENABLED", "" + setting.startsWith("JWT"), setting, value);
        try (ServerProcess server = ServerProcess.start(environment)) {
            assertThat(server.awaitExit()).isNotZero();
            assertThat(server.log())
                    .contains("Queen cannot start", setting, rule)
                    .doesNotContain("topsecret", "\tat ");
        }
    }

    @Test
    void start_plainUser_works() throws Exception {
        Skip.NOT_ROOT.unless(
                "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv")));
        Skip.TARGET_NOT_READABLE.unless(
                readableByAll(Path.of("target/quarkus-app").toAbsolutePath()));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (ServerProcess server = ServerProcess.start(
                        Map.of("QUEEN_DATA_DIR", data().toString()),
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups")
                .awaitReady()) {
            assertThat(server.isAlive()).isTrue();
            assertThat(Files.getAttribute(data().resolve("postgres"), "unix:uid"))
                    .isEqualTo(65534);
        }
        // Root takes over a directory of somebody else as that one, and leaves it to him.
        try (ServerProcess server = start().awaitReady()) {
            assertThat(server.isAlive()).isTrue();
            assertThat(Files.getAttribute(data().resolve("postgres/queen.conf"), "unix:uid"))
                    .isEqualTo(65534);
        }
    }

    private static boolean readableByAll(Path path) throws IOException {
        for (Path part = path; part != null; part = part.getParent()) {
            if (!PosixFilePermissions.toString(Files.getPosixFilePermissions(part))
                    .endsWith("x")) {
                return false;
            }
        }
        return true;
    }

    private Path data() {
        return parent.resolve("data");
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(Map.of("QUEEN_DATA_DIR", data().toString()));
    }

    private void remember(String word) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table queen.remembered as select '" + word + "' as word");
        }
    }

    private String remembered() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select word from queen.remembered")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private Connection connect() throws IOException, SQLException {
        String port =
                Files.readAllLines(data().resolve("postgres/postmaster.pid")).get(3);
        String password = Files.readString(data().resolve("postgres.password")).strip();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/queen", "queen", password);
    }
}
