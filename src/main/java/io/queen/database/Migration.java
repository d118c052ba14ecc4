package io.queen.database;

import io.queen.config.QueenConfig;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * One attempt to bring the schema up to date, over sessions of its own. Servers that try at once are kept apart by
 * Flyway's lock. A schema that a newer server has made is left as it is, and is good enough when it has all that this
 * server calls.
 */
@Singleton
class Migration {
    static final int OLDEST_MAJOR = 14;
    private static final Duration LOOK_AFTER_SESSIONS = Duration.ofSeconds(5);
    private static final int NAMED = 3;

    /** What came of one attempt. */
    sealed interface Outcome {
        /** The schema is in place. {@code warning} is what a person should know, or empty. */
        record Done(String warning) implements Outcome {}

        /** Not this time; {@code reached} tells whether PostgreSQL answered. */
        record Failed(String reason, boolean reached) implements Outcome {}

        /** It is there, and this server can't use it as it is. */
        record Refused(String reason) implements Outcome {}
    }

    private final Login login;
    private final Flyway flyway;
    private final SchemaNeeds needs;
    private final ConnectionBudget budget;
    private final boolean pooler;

    Migration(Login login, Flyway flyway, QueenConfig config) {
        this.login = login;
        this.flyway = flyway;
        this.needs = SchemaNeeds.own();
        this.budget = ConnectionBudget.of(config);
        this.pooler = config.database().pooler();
    }

    /** The reasons in the answer are one line each, without the password. */
    Outcome attempt() {
        try (MigrationSessions sessions = login.migrationSessions();
                SessionWatch watch = new SessionWatch(sessions, pooler, LOOK_AFTER_SESSIONS)) {
            watch.start();
            return attempt(sessions);
        } catch (SQLException | FlywayException e) {
            return new Outcome.Failed(cannotUse(reason(e)), MigrationSessions.isAnswer(e));
        }
    }

    private Outcome attempt(MigrationSessions sessions) throws SQLException {
        int major = major(sessions);
        if (major < OLDEST_MAJOR) {
            return refused("it is PostgreSQL " + major + ", and Queen needs " + OLDEST_MAJOR + " or newer");
        }
        Flyway own = Flyway.configure(flyway.getConfiguration().getClassLoader())
                .configuration(flyway.getConfiguration())
                .dataSource(sessions)
                // The other servers call the functions of one version or of the next, never of both.
                .group(true)
                .callbacks(new OlderGivesWay())
                // A schema of a newer version must be noticed. Which files the functions stand in is of no importance.
                .ignoreMigrationPatterns("repeatable:missing")
                .load();
        try {
            own.migrate();
            return check(sessions, "");
        } catch (FlywayValidateException e) {
            String newer = OlderGivesWay.newer(own);
            return newer.isEmpty() ? refused(reason(e)) : check(sessions, newer);
        }
    }

    private Outcome check(MigrationSessions sessions, String newer) throws SQLException {
        try (Connection connection = sessions.getConnection()) {
            List<String> missing = needs.missing(connection);
            if (!missing.isEmpty()) {
                return refused((newer.isEmpty() ? "its schema" : newer + ", and") + " lacks what this server calls: "
                        + some(missing) + ". Update this server");
            }
            String warning = newer.isEmpty()
                    ? ""
                    : "PostgreSQL " + login.address() + ": " + newer
                            + ". It has all that this server calls, so this server works; update it soon. ";
            return new Outcome.Done((warning + tooFew(connection)).strip());
        }
    }

    private static String some(List<String> missing) {
        String named = String.join(", ", missing.subList(0, Math.min(NAMED, missing.size())));
        return missing.size() <= NAMED ? named : named + " and " + (missing.size() - NAMED) + " more";
    }

    private String tooFew(Connection connection) throws SQLException {
        RoleLimits limits = RoleLimits.read(connection);
        return pooler || limits.most() >= budget.total()
                ? ""
                : "PostgreSQL allows %d connections (%s), and this server wants %s: messages get theirs first."
                        .formatted(limits.most(), limits.limit(), budget.describe());
    }

    private static int major(MigrationSessions sessions) throws SQLException {
        try (Connection connection = sessions.getConnection()) {
            return connection.getMetaData().getDatabaseMajorVersion();
        }
    }

    private Outcome refused(String reason) {
        return new Outcome.Refused(cannotUse(reason));
    }

    private String cannotUse(String reason) {
        return "Cannot use PostgreSQL " + login.address() + " as user " + login.user() + ": " + reason;
    }

    private static String reason(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.strip().replaceAll("\\s+", " ");
    }
}
