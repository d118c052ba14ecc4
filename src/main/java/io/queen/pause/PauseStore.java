package io.queen.pause;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** What is paused, as all servers of the database share it. */
public final class PauseStore {
    private static final String ALL = "select q.name, nullif(z.consumer_group, ''), z.paused_at from queen.pauses z"
            + " join queen.queues q on q.id = z.queue_id order by q.name, z.consumer_group";
    private static final String PAUSE = "select known, \"full\", changed, paused_at from queen.pause_v1($1, $2)";
    private static final String RESUME = "select known, false, changed, null::timestamptz from queen.resume_v1($1, $2)";

    private PauseStore() {}

    public static Uni<List<Pause>> all(Connection connection) {
        return run(connection, ALL, Tuple.tuple()).map(rows -> {
            List<Pause> pauses = new ArrayList<>(rows.size());
            rows.forEach(row -> pauses.add(new Pause(row.getString(0), row.getString(1), row.getOffsetDateTime(2))));
            return pauses;
        });
    }

    /** With null for the group the whole queue. */
    public static Uni<PauseChange> pause(Connection connection, String queue, String group) {
        return run(connection, PAUSE, Tuple.of(queue, group)).map(PauseStore::change);
    }

    public static Uni<PauseChange> resume(Connection connection, String queue, String group) {
        return run(connection, RESUME, Tuple.of(queue, group)).map(PauseStore::change);
    }

    private static PauseChange change(RowSet<Row> rows) {
        Row row = rows.iterator().next();
        return new PauseChange(row.getBoolean(0), row.getBoolean(1), row.getBoolean(2), row.getOffsetDateTime(3));
    }

    private static Uni<RowSet<Row>> run(Connection connection, String sql, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(sql)
                .execute(arguments)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
