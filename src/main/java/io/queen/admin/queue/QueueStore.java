package io.queen.admin.queue;

import io.queen.database.Database;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Queues: their configuration, their end, and their counters as JSON that PostgreSQL wrote. */
@Singleton
final class QueueStore {
    private static final String CONFIGURE = "select * from queen.configure_queue_v1($1, $2, $3, $4)";
    private static final String DELETE = "select queen.delete_queue_v1($1)";
    private static final String PURGE = "select queen.purge_messages_v1($1)";
    private static final String QUEUES = "select queen.list_queues_v1($1, $2, $3, $4, $5, $6)::text";
    private static final String QUEUE = "select queen.queue_detail_v1($1, $2, $3)::text";
    private static final String STATUS = "select queen.queue_status_v1($1, $2, $3)::text";
    private static final String PARTITIONS = "select queen.list_partitions_v1($1, $2, $3, $4)::text";
    private static final String LABELS = "select queen.list_labels_v1($1, $2, $3, $4)::text";
    private static final String OVERVIEW = "select queen.overview_v1($1)::text";
    private static final String LAG = "select queen.queue_lag_v1($1, $2)";

    private final Database database;

    QueueStore(Database database) {
        this.database = database;
    }

    /** The ids of a queue and of its partition {@code Default}. */
    record QueueIds(UUID queueId, UUID partitionId) {}

    /** Creates the queue or replaces its whole configuration. */
    Uni<QueueIds> configure(String name, String namespace, String task, QueueOptions options) {
        return database.one(
                CONFIGURE,
                row -> new QueueIds(row.getUUID(0), row.getUUID(1)),
                name,
                namespace,
                task,
                JsonObject.mapFrom(options));
    }

    /** Deletes the queue; false when there was none. Its messages are removed by {@link #purge}. */
    Uni<Boolean> delete(String name) {
        return database.one(DELETE, row -> row.getBoolean(0), name);
    }

    /** Removes up to {@code limit} messages of deleted partitions and tells how many. */
    Uni<Integer> purge(int limit) {
        return database.one(PURGE, row -> row.getInteger(0), limit);
    }

    /**
     * Queues, the newest first; null for any namespace or task.
     *
     * @param withProcessing pending includes what is being processed
     * @param visible the queues that the caller may see, here and elsewhere: names and patterns, null for all
     */
    Uni<String> queues(String namespace, String task, Page page, boolean withProcessing, String[] visible) {
        return database.json(QUEUES, namespace, task, page.limit(), page.offset(), withProcessing, visible);
    }

    /** The queue with a page of its partitions; null when there is none. */
    Uni<String> queue(String name, Page page) {
        return database.json(QUEUE, name, page.limit(), page.offset());
    }

    /** The same as the status routes tell it. */
    Uni<String> status(String name, Page page) {
        return database.json(STATUS, name, page.limit(), page.offset());
    }

    /** The partitions of a queue, null for all queues; the answer is null when there is no such queue. */
    Uni<String> partitions(String queue, Page page, String[] visible) {
        return database.json(PARTITIONS, queue, page.limit(), page.offset(), visible);
    }

    Uni<String> namespaces(Page page, String[] visible) {
        return database.json(LABELS, "namespace", page.limit(), page.offset(), visible);
    }

    Uni<String> tasks(Page page, String[] visible) {
        return database.json(LABELS, "task", page.limit(), page.offset(), visible);
    }

    Uni<String> overview(String[] visible) {
        return database.json(OVERVIEW, (Object) visible);
    }

    /** How far the group is behind on the queue; a queue that does not exist has no lag. */
    Uni<String> lag(String queue, String group) {
        return database.json(LAG, queue, group);
    }
}
