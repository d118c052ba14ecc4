package io.queen.admin.maintenance;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** The maintenance modes, as all servers of the database share them. */
public final class MaintenanceStore {
    private static final String PUSH = "maintenance_mode";
    private static final String POP = "pop_maintenance_mode";
    private static final String SET = "select push, pop from queen.set_maintenance_v1($1, $2)";
    private static final String GET =
            "select coalesce(bool_or(s.key = $1), false), coalesce(bool_or(s.key = $2), false)"
                    + " from queen.system_state s where s.key in ($1, $2) and s.value = 'true'";

    private MaintenanceStore() {}

    public static Uni<MaintenanceModes> get(Connection connection) {
        return modes(connection, GET, Tuple.of(PUSH, POP));
    }

    public static Uni<MaintenanceModes> setPush(Connection connection, boolean enabled) {
        return modes(connection, SET, Tuple.of(PUSH, enabled));
    }

    public static Uni<MaintenanceModes> setPop(Connection connection, boolean enabled) {
        return modes(connection, SET, Tuple.of(POP, enabled));
    }

    private static Uni<MaintenanceModes> modes(Connection connection, String sql, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(sql)
                .execute(arguments)
                .map(MaintenanceStore::modes)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    private static MaintenanceModes modes(RowSet<Row> rows) {
        Row row = rows.iterator().next();
        return new MaintenanceModes(row.getBoolean(0), row.getBoolean(1));
    }
}
