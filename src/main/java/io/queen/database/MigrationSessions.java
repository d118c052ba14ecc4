package io.queen.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/**
 * The JDBC sessions of one attempt to migrate. No pool: what an attempt has opened ends with it, however it ends, so the
 * next one begins with nothing that the last has left.
 */
final class MigrationSessions implements DataSource, AutoCloseable {
    private static final String NAME = "queen-schema";

    private final String url;
    private final Properties properties;
    private final List<Connection> opened = new ArrayList<>();

    private MigrationSessions(String url, Properties properties) {
        this.url = url;
        this.properties = properties;
    }

    /**
     * Sessions in which a statement may take as long as it likes.
     *
     * @param loginSeconds until a session is open
     */
    static MigrationSessions unlimited(String url, String user, String password, int loginSeconds) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", NAME);
        properties.setProperty("connectTimeout", Integer.toString(loginSeconds));
        properties.setProperty("loginTimeout", Integer.toString(loginSeconds));
        properties.setProperty("tcpKeepAlive", "true");
        return new MigrationSessions(url, properties);
    }

    /** Sessions to the same database in which no answer may take longer than a login. */
    MigrationSessions quick() {
        Properties quick = new Properties();
        quick.putAll(properties);
        quick.setProperty("socketTimeout", properties.getProperty("loginTimeout"));
        return new MigrationSessions(url, quick);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = new Driver().connect(url, properties);
        synchronized (opened) {
            opened.removeIf(MigrationSessions::isClosed);
            opened.add(connection);
        }
        return connection;
    }

    /** The processes of PostgreSQL behind the sessions that are open. */
    Set<Integer> processes() throws SQLException {
        Set<Integer> processes = new HashSet<>();
        for (Connection connection : open()) {
            processes.add(connection.unwrap(PGConnection.class).getBackendPID());
        }
        return processes;
    }

    /** Ends all now: what waits for an answer fails. */
    void abort() {
        for (Connection connection : open()) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                // It has ended by itself.
            }
        }
    }

    @Override
    public void close() {
        abort();
    }

    /** Whether the failure was said by a PostgreSQL that is awake: an SQLSTATE that is not of the connection. */
    static boolean isAnswer(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(cause -> cause instanceof SQLException)
                .map(cause -> ((SQLException) cause).getSQLState())
                .anyMatch(state -> state != null && !state.startsWith("08"));
    }

    private List<Connection> open() {
        synchronized (opened) {
            opened.removeIf(MigrationSessions::isClosed);
            return List.copyOf(opened);
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The user is given");
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        // The driver logs by itself.
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("The timeout is given");
    }

    @Override
    public int getLoginTimeout() {
        return Integer.parseInt(properties.getProperty("loginTimeout"));
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
