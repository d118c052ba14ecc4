package io.queen.cost;

import io.queen.testing.Sql;
import java.util.List;

/** Every statement, also those inside functions, leaves its plan in PostgreSQL's log. */
public final class PlanDatabase extends OwnDatabase {
    private static final List<String> SETTINGS = List.of(
            "session_preload_libraries = auto_explain",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_nested_statements = on");

    public PlanDatabase() {
        super("plans");
    }

    @Override
    void prepare(Sql sql, String database) {
        sql.run("load 'auto_explain'");
        SETTINGS.forEach(setting -> sql.run("alter database " + database + " set " + setting));
    }
}
