package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Certificates;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to PostgreSQL, which messages take over the reactive client and the schema over JDBC: both must do the same. */
class DatabaseTlsTest {
    @TempDir
    static Path directory;

    private static Vertx vertx;
    private static EmbeddedPostgres postgres;
    private static Certificates ours;
    private static Certificates others;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        postgres = TestPostgres.start(directory.resolve("data"), 0);
        ours = new Certificates(directory.resolve("ours"))
                .issue("good")
                .issue("elsewhere", "now", "dns:db.example.org")
                .issue("expired", "-30d", "dns:localhost,ip:127.0.0.1")
                .issue("queen", "now", "dns:client");
        others = new Certificates(directory.resolve("others")).issue("queen", "now", "dns:client");
    }

    @AfterAll
    static void stop() {
        postgres.close();
        vertx.close();
    }

    @BeforeEach
    void serveTheGoodOne() throws Exception {
        serve("good", "scram-sha-256");
    }

    @Test
    void authorityOfOnesOwn_isVerified() {
        assertOpens(url("verify-full", ours));
    }

    @ParameterizedTest
    @ValueSource(strings = {"elsewhere", "expired"})
    void certificate_ofAnotherHostOrExpired_isRefused(String name) throws Exception {
        serve(name, "scram-sha-256");
        assertFails(url("verify-full", ours));
        assertOpens(url("require", ours));
    }

    @Test
    void certificate_ofAnotherHost_isTakenWhenTheAuthorityAloneIsAskedFor() throws Exception {
        serve("elsewhere", "scram-sha-256");
        assertOpens(url("verify-ca", ours));
        assertFails(url("verify-ca", others));
    }

    @Test
    void authority_other_isRefused() {
        assertFails(url("verify-full", others));
    }

    /** None is named: those of Java are trusted, and ours is not among them. */
    @Test
    void authority_notNamed_isNotTrusted() {
        assertFails("jdbc:postgresql://localhost:" + postgres.address().port() + "/queen?sslmode=verify-full");
    }

    @Test
    void clientCertificate_required_isShown() throws Exception {
        serve("good", "cert");
        assertFails(url("verify-full", ours));
        assertOpens(url("verify-full", ours) + client(ours));
        assertFails(url("verify-full", ours) + client(others));
    }

    private static String url(String mode, Certificates authority) {
        return "jdbc:postgresql://localhost:" + postgres.address().port() + "/queen?sslmode=" + mode + "&sslrootcert="
                + authority.authority();
    }

    private static String client(Certificates own) {
        return "&sslcert=" + own.cert("queen") + "&sslkey=" + own.key("queen");
    }

    private static void assertOpens(String url) {
        assertThatCode(() -> openBySchema(url)).doesNotThrowAnyException();
        assertThatCode(() -> openByMessages(url)).doesNotThrowAnyException();
    }

    private static void assertFails(String url) {
        assertThatThrownBy(() -> openBySchema(url)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> openByMessages(url)).isInstanceOf(CompletionException.class);
    }

    private static void openBySchema(String url) throws SQLException {
        try (MigrationSessions sessions = login(url).migrationSessions();
                Connection connection = sessions.getConnection()) {
            assertThat(encrypted(connection)).isTrue();
        }
    }

    private static void openByMessages(String url) {
        Login login = login(url);
        PgConnection connection = PgConnection.connect(
                        vertx, login.options(login.address().hosts().get(0), "test", 1000))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        assertThat(connection.isSSL()).isTrue();
        connection.close().toCompletionStage().toCompletableFuture().join();
    }

    private static boolean encrypted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select ssl from pg_stat_ssl where pid = pg_backend_pid()")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private static Login login(String url) {
        PostgresAddress address = postgres.address();
        return new Login(TestConfig.defaults(), url, address.user(), address.password());
    }

    /** The certificate that PostgreSQL shows, and what it asks of clients that come by TLS. */
    private static void serve(String name, String method) throws Exception {
        Path data = directory.resolve("data").resolve("postgres");
        Files.writeString(
                data.resolve("pg_hba.conf"),
                "hostnossl all all 127.0.0.1/32 scram-sha-256\nhostssl all all 127.0.0.1/32 " + method + "\n");
        try (Connection connection = plain();
                Statement statement = connection.createStatement()) {
            String loaded = loaded();
            statement.execute("alter system set ssl_cert_file = '" + ours.cert(name) + "'");
            statement.execute("alter system set ssl_key_file = '" + ours.key(name) + "'");
            statement.execute("alter system set ssl_ca_file = '" + ours.authority() + "'");
            statement.execute("alter system set ssl = on");
            statement.execute("select pg_reload_conf()");
            await().until(() -> !loaded().equals(loaded));
        }
    }

    /** When the settings that a new session has were read. */
    private static String loaded() throws SQLException {
        try (Connection connection = plain();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select pg_conf_load_time()")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Connection plain() throws SQLException {
        PostgresAddress address = postgres.address();
        String url = "jdbc:postgresql://127.0.0.1:" + address.port() + "/queen?sslmode=disable";
        return DriverManager.getConnection(url, address.user(), address.password());
    }
}
