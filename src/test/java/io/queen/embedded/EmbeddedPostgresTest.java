package io.queen.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
    @TempDir
    Path directory;

    @Test
    void start_again_findsTheData() throws SQLException {
        try (EmbeddedPostgres first = start()) {
            execute(first, "create table kept as select 'still here' as word");
        }
        try (EmbeddedPostgres second = start()) {
            assertThat(query(second, "select word from kept")).isEqualTo("still here");
        }
    }

    @Test
    void start_directoryInUse_isRefusedWithItsName() {
        try (EmbeddedPostgres first = start()) {
            assertThat(first.directory()).exists();
            assertThatThrownBy(this::start)
                    .isInstanceOf(PostgresException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("QUEEN_DATA_DIR");
        }
    }

    @Test
    void start_isDurablePrivateAndLocal() throws Exception {
        try (EmbeddedPostgres postgres = start()) {
            assertThat(query(postgres, "show fsync")).isEqualTo("on");
            assertThat(query(postgres, "show synchronous_commit")).isEqualTo("on");
            assertThat(query(postgres, "show data_checksums")).isEqualTo("on");
            assertThat(query(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(postgres, "show unix_socket_directories")).isEmpty();
            Path password = directory.resolve("postgres.password");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
                    .isEqualTo("rw-------");
            assertThatThrownBy(
                            () -> DriverManager.getConnection(postgres.address().jdbcUrl(), "queen", "guess"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void start_fsyncSwitchedOff_isRefused() throws SQLException {
        try (EmbeddedPostgres postgres = start()) {
            execute(postgres, "alter system set fsync = off");
        }
        assertThatThrownBy(this::start).isInstanceOf(PostgresException.class).hasMessageContaining("fsync = off");
        assertThat(directory.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void start_badSetting_showsTheEndOfTheLog() throws Exception {
        start().close();
        Files.writeString(directory.resolve("postgres/postgresql.auto.conf"), "shared_buffers = '1 elephant'\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(PostgresException.class)
                .hasMessageContaining("postgres.log")
                .hasMessageContaining("elephant");
    }

    @Test
    void start_dataOfAnotherMajor_isRefused() throws Exception {
        start().close();
        Files.writeString(directory.resolve("postgres/PG_VERSION"), "13\n");
        assertThatThrownBy(this::start).isInstanceOf(PostgresException.class).hasMessageContaining("PostgreSQL 13");
    }

    @Test
    void start_pidFileNamesAnotherProgram_isNotConfused() throws Exception {
        start().close();
        Path pidFile = directory.resolve("postgres/postmaster.pid");
        long alien = ProcessHandle.current().parent().orElseThrow().pid();
        Files.writeString(pidFile, alien + "\n" + directory.resolve("postgres") + "\n");
        try (EmbeddedPostgres postgres = start()) {
            assertThat(query(postgres, "select 1")).isEqualTo("1");
        }
        assertThat(ProcessHandle.of(alien)).isPresent();
    }

    @Test
    void start_firstStartWasKilledHalfWay_startsOver() throws Exception {
        Files.createDirectories(directory.resolve("postgres.new/base"));
        Files.writeString(directory.resolve("postgres.password.new"), "hal");
        try (EmbeddedPostgres postgres = start()) {
            assertThat(query(postgres, "select current_user")).isEqualTo("queen");
        }
    }

    @Test
    void address_asText_hidesThePassword() {
        assertThat(new PostgresAddress(1, "queen", "secret")).hasToString("queen@127.0.0.1:1/queen");
    }

    private EmbeddedPostgres start() {
        return TestPostgres.start(directory, 0);
    }

    private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        PostgresAddress address = postgres.address();
        return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    }
}
