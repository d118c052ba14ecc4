package io.queen.cost;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import java.util.Map;

/** A database that no other test uses, for a server of its own. */
abstract class OwnDatabase implements QuarkusTestResourceLifecycleManager {
    private final String stem;

    OwnDatabase(String stem) {
        this.stem = stem;
    }

    /** Sets the database up for what is measured. */
    abstract void prepare(Sql sql, String database);

    @Override
    public Map<String, String> start() {
        TestPostgres own = TestPostgres.shared().ownDatabase(stem + "_" + System.nanoTime());
        try (Sql sql = Sql.open(own)) {
            prepare(sql, own.database());
        }
        return own.config();
    }

    /** Comes after the resource that all tests have, and so wins. */
    @Override
    public int order() {
        return 1;
    }

    @Override
    public void stop() {}
}
