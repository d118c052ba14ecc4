package io.queen.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.postgresql.Driver;

/** What a started PostgreSQL must have before it is used: the database, and settings that keep promises. */
final class Preparation {
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    private Preparation() {}

    static void run(PostgresAddress address) {
        try (Connection connection = connect(address, "postgres");
                Statement statement = connection.createStatement()) {
            for (String setting : DURABLE) {
                requireOn(statement, setting);
            }
            createDatabase(statement, address.database());
        } catch (SQLException e) {
            throw new PostgresException("The embedded PostgreSQL runs but cannot be used: " + e.getMessage(), e);
        }
    }

    private static Connection connect(PostgresAddress address, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", address.user());
        properties.setProperty("password", address.password());
        properties.setProperty("loginTimeout", "30");
        return new Driver().connect(address.jdbcUrl(database), properties);
    }

    private static void requireOn(Statement statement, String setting) throws SQLException {
        String value = single(statement, "select current_setting('" + setting + "')");
        if (!"on".equals(value)) {
            throw new PostgresException("The embedded PostgreSQL runs with " + setting + " = " + value
                    + ", which can lose messages; remove it from postgresql.auto.conf in the data directory.");
        }
    }

    private static void createDatabase(Statement statement, String name) throws SQLException {
        if (single(statement, "select 1 from pg_database where datname = '" + name + "'") == null) {
            statement.execute("create database " + name);
        }
    }

    private static String single(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}
