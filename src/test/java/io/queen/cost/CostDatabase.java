package io.queen.cost;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.queen.embedded.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * A database of its own for the guard, in which autovacuum does nothing: it would change plans and pages at times that
 * differ from run to run. Comes after the resource that all tests have, and so wins.
 */
public final class CostDatabase implements QuarkusTestResourceLifecycleManager {
    private static final String QUIET = "do $$ declare t text; begin"
            + " for t in select tablename from pg_tables where schemaname = 'queen' loop"
            + " execute format('alter table queen.%I set (autovacuum_enabled = off)', t); end loop; end $$";

    @Override
    public Map<String, String> start() {
        try {
            TestPostgres own = TestPostgres.shared()
                    .createDatabase("cost_" + System.nanoTime())
                    .migrate();
            try (Connection connection = own.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(QUIET);
            }
            return own.config();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int order() {
        return 1;
    }

    @Override
    public void stop() {}
}
