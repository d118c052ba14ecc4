package io.queen.cost;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.queen.embedded.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** A database of its own in which every statement, also those inside functions, leaves its plan in PostgreSQL's log. */
public final class PlanDatabase implements QuarkusTestResourceLifecycleManager {
    private static final List<String> SETTINGS = List.of(
            "session_preload_libraries = auto_explain",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_nested_statements = on");

    @Override
    public Map<String, String> start() {
        try {
            TestPostgres own = TestPostgres.shared()
                    .createDatabase("plans_" + System.nanoTime())
                    .migrate();
            try (Connection connection = own.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("load 'auto_explain'");
                for (String setting : SETTINGS) {
                    statement.execute("alter database " + own.database() + " set " + setting);
                }
            }
            return own.config();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Comes after the resource that all tests have, and so wins. */
    @Override
    public int order() {
        return 1;
    }

    @Override
    public void stop() {}
}
