package io.queen.pause;

import io.queen.database.Database;
import io.queen.pop.ready.Pause;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;

/** What is paused, as all servers of the database share it. */
@Singleton
final class PauseStore {
    private static final String ALL = "select q.name, nullif(z.consumer_group, ''), z.paused_at from queen.pauses z"
            + " join queen.queues q on q.id = z.queue_id order by q.name, z.consumer_group";
    private static final String PAUSE = "select known, \"full\", changed, paused_at from queen.pause_v1($1, $2)";
    private static final String RESUME = "select known, false, changed, null::timestamptz from queen.resume_v1($1, $2)";

    private final Database database;

    PauseStore(Database database) {
        this.database = database;
    }

    /**
     * What became of the wish to pause or to resume.
     *
     * @param known false when there is no such queue: nothing happened
     * @param full too many pauses are in force: nothing happened
     * @param changed whether it was different before
     * @param since since when it is paused, null when it is not
     */
    record Change(boolean known, boolean full, boolean changed, OffsetDateTime since) {
        private static Change of(Row row) {
            return new Change(row.getBoolean(0), row.getBoolean(1), row.getBoolean(2), row.getOffsetDateTime(3));
        }
    }

    Uni<List<Pause>> all() {
        return database.list(ALL, row -> new Pause(row.getString(0), row.getString(1), row.getOffsetDateTime(2)));
    }

    /** With null for the group the whole queue. */
    Uni<Change> pause(String queue, String group) {
        return database.one(PAUSE, Change::of, queue, group);
    }

    Uni<Change> resume(String queue, String group) {
        return database.one(RESUME, Change::of, queue, group);
    }
}
