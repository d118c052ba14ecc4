package io.queen.embedded;

import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.flywaydb.core.Flyway;

/**
 * The PostgreSQL of the tests: one cluster per test JVM, started when the first test asks, gone with the JVM.
 *
 * <p>It is the embedded one, or with {@code -Dtest.postgres.installed=true} one that is installed on this machine, with
 * its packaged defaults.
 *
 * <p>Quarkus loads test classes in several class loaders, each with its own statics: the address is kept in system
 * properties, so that they all share one cluster.
 */
public final class TestPostgres {
    private static final String PORT = "test.postgres.port";
    private static final String PASSWORD = "test.postgres.password";
    private static final String DIRECTORY = "test.postgres.directory";
    private static final Path BINARIES = Path.of("target", "test-binaries");

    private final PostgresAddress address;
    private final String database;

    private TestPostgres(PostgresAddress address, String database) {
        this.address = address;
        this.database = database;
    }

    /** Database {@code queen} of the cluster of this JVM. */
    public static TestPostgres shared() {
        synchronized (System.getProperties()) {
            if (System.getProperty(PORT) == null) {
                PostgresAddress started = startOnce();
                System.setProperty(PASSWORD, started.password());
                System.setProperty(PORT, Integer.toString(started.port()));
            }
        }
        PostgresAddress address =
                new PostgresAddress(Integer.getInteger(PORT), Cluster.USER, System.getProperty(PASSWORD));
        return new TestPostgres(address, address.database());
    }

    /** Whether the tests run on an installed PostgreSQL. */
    public static boolean isInstalledOne() {
        return Boolean.getBoolean("test.postgres.installed");
    }

    /** Whether they should, and can't. */
    public static boolean isMissing() {
        return isInstalledOne() && InstalledPostgres.home().isEmpty();
    }

    /** Another cluster, of the embedded PostgreSQL, on a directory of its own, with the unpacked binaries of all the others. */
    public static EmbeddedPostgres start(Path directory, int port) {
        return EmbeddedPostgres.start(directory, BINARIES, port);
    }

    /** An empty database in the same cluster. */
    public TestPostgres createDatabase(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create database \"" + name + "\"");
        }
        return new TestPostgres(address, name);
    }

    /** A database that no server of another test works on, with the schema in place. */
    public TestPostgres ownDatabase(String name) {
        try {
            return createDatabase(name).migrate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Brings the schema up to date, for tests that do not start the server. */
    public TestPostgres migrate() {
        Flyway.configure()
                .dataSource(jdbcUrl(), user(), password())
                .schemas("queen")
                .load()
                .migrate();
        return this;
    }

    /** What PostgreSQL wrote to its log. */
    public static String log() {
        try {
            Path file = Path.of(System.getProperty(DIRECTORY), "postgres.log");
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String host() {
        return address.host();
    }

    public int port() {
        return address.port();
    }

    public String database() {
        return database;
    }

    public String user() {
        return address.user();
    }

    public String password() {
        return address.password();
    }

    public String jdbcUrl() {
        return address.jdbcUrl(database);
    }

    /** A JDBC connection, closed by the caller. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** For the reactive client. */
    public PgConnectOptions connectOptions() {
        return new PgConnectOptions()
                .setHost(host())
                .setPort(port())
                .setDatabase(database)
                .setUser(user())
                .setPassword(password())
                .addProperty("search_path", "queen");
    }

    /** The settings of a server that uses this database. */
    public Map<String, String> config() {
        return Map.of(
                "queen.database.host", host(),
                "queen.database.port", Integer.toString(port()),
                "queen.database.name", database,
                "queen.database.user", user(),
                "queen.database.password", password());
    }

    /** The environment of a server process that uses this database. */
    public Map<String, String> environment() {
        return Map.of(
                "PG_HOST", host(),
                "PG_PORT", Integer.toString(port()),
                "PG_DB", database,
                "PG_USER", user(),
                "PG_PASSWORD", password());
    }

    private static PostgresAddress startOnce() {
        try {
            Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "test-postgres-");
            if (isInstalledOne()) {
                System.setProperty(DIRECTORY, directory.toAbsolutePath().toString());
                return InstalledPostgres.start(directory);
            }
            EmbeddedPostgres postgres = start(directory, 0);
            System.setProperty(DIRECTORY, postgres.directory().toString());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndDelete(postgres)));
            return postgres.address();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stopAndDelete(EmbeddedPostgres postgres) {
        postgres.close();
        try {
            Directories.delete(postgres.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
