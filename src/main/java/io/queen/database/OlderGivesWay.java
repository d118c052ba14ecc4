package io.queen.database;

import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Keeps a server from putting its older functions in the place of newer ones. Flyway compares versions before it takes its
 * lock; a newer server that migrates at the same moment may have been first. So they are compared again, under the lock,
 * when there is something to migrate.
 */
final class OlderGivesWay implements Callback {
    private boolean compared;

    /** Which version the schema is, when that is newer than what this server brings; else empty. */
    static String newer(Flyway own) {
        List<MigrationInfo> applied = Stream.of(own.info().applied())
                .filter(MigrationInfo::isVersioned)
                .toList();
        if (applied.stream().anyMatch(OlderGivesWay::isOfAnotherHistory)) {
            return "";
        }
        return applied.stream()
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS)
                .map(MigrationInfo::getVersion)
                .reduce((one, other) -> other)
                .map(version -> "its schema is version " + version + ", made by a newer server than this one")
                .orElse("");
    }

    /** A newer server brings the same files, and more. */
    private static boolean isOfAnotherHistory(MigrationInfo applied) {
        return applied.getState().isResolved() && !applied.isChecksumMatching();
    }

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE && !compared;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        compared = true;
        String newer = newer(Flyway.configure(context.getConfiguration().getClassLoader())
                .configuration(context.getConfiguration())
                .load());
        if (!newer.isEmpty()) {
            throw new FlywayException(newer);
        }
    }

    @Override
    public String getCallbackName() {
        return "older gives way";
    }
}
