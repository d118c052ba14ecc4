package io.queen.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Answers that PostgreSQL writes as JSON text; they are passed on as they are. */
public final class JsonQuery {
    private JsonQuery() {}

    /** The text of the only row, null when the function found nothing. */
    public static Uni<String> run(Connection connection, String sql, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(sql)
                .execute(arguments)
                .map(rows -> rows.iterator().next().getString(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
