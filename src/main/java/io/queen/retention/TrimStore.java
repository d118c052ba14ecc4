package io.queen.retention;

import io.queen.database.Database;
import io.queen.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;

/** The push log's end. */
@Singleton
public final class TrimStore {
    private static final String TRIM = "select mark from queen.trim_push_log_v1($1)";

    private final Database database;

    TrimStore(Database database) {
        this.database = database;
    }

    /** Removes what lies before the mark, null for nothing, and gives the mark of now. */
    public Uni<String> trim(String before) {
        return database.pool()
                .preparedQuery(TRIM)
                .execute(Tuple.of(before))
                .map(rows -> rows.iterator().next().getString(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
