package io.queen.store;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** One attempt to bring the schema up to date. Servers that try at once are kept apart by Flyway's lock. */
@Singleton
class Migration {
    static final int OLDEST_MAJOR = 14;

    private final Database database;
    private final AgroalDataSource dataSource;
    private final Flyway flyway;

    Migration(Database database, AgroalDataSource dataSource, Flyway flyway) {
        this.database = database;
        this.dataSource = dataSource;
        this.flyway = flyway;
    }

    /** Empty when the schema is in place, else why not: one line, without the password. */
    Optional<String> attempt() {
        try {
            int major = major();
            if (major < OLDEST_MAJOR) {
                return failure("it is PostgreSQL " + major + ", and Queen needs " + OLDEST_MAJOR + " or newer");
            }
            flyway.migrate();
            // JDBC has done its part: its connections are somebody else's now.
            dataSource.flush(AgroalDataSource.FlushMode.IDLE);
            return Optional.empty();
        } catch (SQLException | FlywayException e) {
            return failure(reason(e));
        }
    }

    private int major() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseMajorVersion();
        }
    }

    private Optional<String> failure(String reason) {
        return Optional.of(
                "Cannot use PostgreSQL " + database.address() + " as user " + database.user() + ": " + reason);
    }

    private static String reason(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.strip().replaceAll("\\s+", " ");
    }
}
