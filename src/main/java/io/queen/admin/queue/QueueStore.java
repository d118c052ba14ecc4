package io.queen.admin.queue;

import io.queen.database.Queries;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Tuple;

/** Queues as wholes: their configuration and their end. */
public final class QueueStore {
    private static final String CONFIGURE = "select * from queen.configure_queue_v1($1, $2, $3, $4)";
    private static final String DELETE = "select queen.delete_queue_v1($1)";
    private static final String PURGE = "select queen.purge_messages_v1($1)";

    private QueueStore() {}

    /** Creates the queue or replaces its whole configuration. */
    public static Uni<QueueIds> configure(
            Queries database, String name, String namespace, String task, JsonObject options) {
        return database.query(CONFIGURE, Tuple.of(name, namespace, task, options))
                .map(rows -> rows.iterator().next())
                .map(row -> new QueueIds(row.getUUID(0), row.getUUID(1)));
    }

    /** Deletes the queue; false when there was none. Its messages are removed by {@link #purge}. */
    public static Uni<Boolean> delete(Queries database, String name) {
        return database.query(DELETE, Tuple.of(name))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Removes up to {@code limit} messages of deleted partitions and tells how many. */
    public static Uni<Integer> purge(Queries database, int limit) {
        return database.query(PURGE, Tuple.of(limit))
                .map(rows -> rows.iterator().next().getInteger(0));
    }
}
