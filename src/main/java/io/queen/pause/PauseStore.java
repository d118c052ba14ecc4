package io.queen.pause;

import io.queen.database.Queries;
import io.queen.pop.ready.Pause;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import java.util.List;

/** What is paused, as all servers of the database share it. */
final class PauseStore {
    private static final String ALL = "select q.name, nullif(z.consumer_group, ''), z.paused_at from queen.pauses z"
            + " join queen.queues q on q.id = z.queue_id order by q.name, z.consumer_group";
    private static final String PAUSE = "select known, \"full\", changed, paused_at from queen.pause_v1($1, $2)";
    private static final String RESUME = "select known, false, changed, null::timestamptz from queen.resume_v1($1, $2)";

    private PauseStore() {}

    static Uni<List<Pause>> all(Queries database) {
        return database.list(
                ALL, row -> new Pause(row.getString(0), row.getString(1), row.getOffsetDateTime(2)));
    }

    /** With null for the group the whole queue. */
    static Uni<PauseChange> pause(Queries database, String queue, String group) {
        return database.one(PAUSE, PauseStore::change, queue, group);
    }

    static Uni<PauseChange> resume(Queries database, String queue, String group) {
        return database.one(RESUME, PauseStore::change, queue, group);
    }

    private static PauseChange change(Row row) {
        return new PauseChange(row.getBoolean(0), row.getBoolean(1), row.getBoolean(2), row.getOffsetDateTime(3));
    }
}
