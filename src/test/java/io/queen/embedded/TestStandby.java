package io.queen.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * A standby that follows a primary by streaming replication. The binaries of the tests have no {@code pg_basebackup}: it
 * is made from a copy of the primary's files, taken while that was stopped.
 */
public final class TestStandby implements AutoCloseable {
    private static final Path BINARIES = Path.of("target", "test-binaries");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final PostgresAddress address;

    private TestStandby(Cluster cluster, PostgresAddress address) {
        this.cluster = cluster;
        this.address = address;
    }

    /** Copies the directory of a primary that is stopped; to be started when that runs again. */
    public static TestStandby copy(Path stopped, PostgresAddress primary, Path directory, int port) throws IOException {
        Command.run(List.of("cp", "-a", stopped.toString(), directory.toString()), Path.of("/"), LIMIT)
                .orThrow("could not copy " + stopped);
        Path data = directory.resolve("postgres");
        Files.createFile(data.resolve("standby.signal"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=%s port=%d user=%s password=%s'%n"
                        .formatted(primary.host(), primary.port(), primary.user(), primary.password()),
                StandardOpenOption.APPEND);
        Path binaries = Directories.createPrivate(BINARIES);
        Cluster cluster = new Cluster(directory, Binaries.unpack(binaries), Account.of(directory));
        return new TestStandby(cluster, new PostgresAddress(port, primary.user(), primary.password()));
    }

    public TestStandby start() throws IOException {
        cluster.start(address.port());
        return this;
    }

    /** Makes it the primary. */
    public void promote() throws SQLException {
        query("select pg_promote()");
    }

    /** The first column of the first row. */
    public String query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        address.jdbcUrl(address.database()), address.user(), address.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    @Override
    public void close() throws IOException {
        cluster.stop();
    }
}
