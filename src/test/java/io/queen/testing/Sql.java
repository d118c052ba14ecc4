package io.queen.testing;

import io.queen.embedded.PostgresAddress;
import io.queen.embedded.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** One JDBC session on the database of the tests; what a test looks up or arranges behind the server's back. */
public final class Sql implements AutoCloseable {
    private final Connection connection;

    private Sql(Connection connection) {
        this.connection = connection;
    }

    public static Sql open() {
        return open(TestPostgres.shared());
    }

    /** On a database of the test's own. */
    public static Sql open(TestPostgres postgres) {
        try {
            return new Sql(postgres.connect());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** On another cluster than that of the tests. */
    public static Sql open(PostgresAddress address) {
        try {
            String url = address.jdbcUrl();
            return new Sql(DriverManager.getConnection(url, address.user(), address.password()));
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    /** For tests that do not start a server: the schema is put in place first. */
    public static Sql openMigrated() {
        TestPostgres.shared().migrate();
        return open();
    }

    /** The rows of a query, by column name; for a statement without rows an empty list. */
    public List<Map<String, Object>> rows(String sql, Object... arguments) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            return statement.execute() ? read(statement.getResultSet()) : List.of();
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    /** The only row. */
    public Map<String, Object> row(String sql, Object... arguments) {
        List<Map<String, Object>> rows = rows(sql, arguments);
        if (rows.size() != 1) {
            throw new IllegalStateException(rows.size() + " rows");
        }
        return rows.get(0);
    }

    /** The first column of the only row. */
    public Object value(String sql, Object... arguments) {
        return row(sql, arguments).values().iterator().next();
    }

    public long number(String sql, Object... arguments) {
        return ((Number) value(sql, arguments)).longValue();
    }

    public String text(String sql, Object... arguments) {
        Object value = value(sql, arguments);
        return value == null ? null : value.toString();
    }

    public void run(String sql, Object... arguments) {
        rows(sql, arguments);
    }

    public Sql begin() {
        run("begin");
        return this;
    }

    public void commit() {
        run("commit");
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    private static List<Map<String, Object>> read(ResultSet result) throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        while (result.next()) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
            }
            rows.add(row);
        }
        return rows;
    }

    /** A statement failed; the message is that of PostgreSQL. */
    public static final class SqlFailure extends RuntimeException {
        private final String state;

        SqlFailure(SQLException cause) {
            super(cause.getMessage(), cause);
            this.state = cause.getSQLState();
        }

        public String state() {
            return state;
        }
    }

    /** Returns while a session waits for a lock. A batch does so for a tenth of a second, then its requests wait outside. */
    public void awaitSessionThatWaitsForALock() {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> number("select count(*) from pg_locks where not granted") > 0);
    }
}
