package io.queen.admin.maintenance;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;

/** The maintenance modes, as all servers of the database share them. */
@Singleton
final class MaintenanceStore {
    private static final String PUSH = "maintenance_mode";
    private static final String POP = "pop_maintenance_mode";
    private static final String SET = "select push, pop from queen.set_maintenance_v1($1, $2)";
    private static final String GET =
            "select coalesce(bool_or(s.key = $1), false), coalesce(bool_or(s.key = $2), false)"
                    + " from queen.system_state s where s.key in ($1, $2) and s.value = 'true'";

    private final Database database;

    MaintenanceStore(Database database) {
        this.database = database;
    }

    /** Which modes are on: pushes wait in the file buffer, pops answer empty. */
    record Modes(boolean push, boolean pop) {
        private static Modes of(Row row) {
            return new Modes(row.getBoolean(0), row.getBoolean(1));
        }
    }

    Uni<Modes> get() {
        return database.one(GET, Modes::of, PUSH, POP);
    }

    Uni<Modes> setPush(boolean enabled) {
        return database.one(SET, Modes::of, PUSH, enabled);
    }

    Uni<Modes> setPop(boolean enabled) {
        return database.one(SET, Modes::of, POP, enabled);
    }
}
