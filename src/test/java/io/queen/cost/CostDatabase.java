package io.queen.cost;

import io.queen.testing.Sql;

/** Autovacuum does nothing here: it would change plans and pages at times that differ from run to run. */
public final class CostDatabase extends OwnDatabase {
    private static final String QUIET = "do $$ declare t text; begin"
            + " for t in select tablename from pg_tables where schemaname = 'queen' loop"
            + " execute format('alter table queen.%I set (autovacuum_enabled = off)', t); end loop; end $$";

    public CostDatabase() {
        super("cost");
    }

    @Override
    void prepare(Sql sql, String database) {
        sql.run(QUIET);
    }
}
