package io.queen.admin.queue;

import io.queen.database.Connection;
import io.queen.database.JsonQuery;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Queues and partitions with their counters. Every answer is JSON as PostgreSQL wrote it. */
public final class InspectionStore {
    private static final String QUEUES = "select queen.list_queues_v1($1, $2, $3, $4, $5)::text";
    private static final String QUEUE = "select queen.queue_detail_v1($1, $2, $3)::text";
    private static final String STATUS = "select queen.queue_status_v1($1, $2, $3)::text";
    private static final String PARTITIONS = "select queen.list_partitions_v1($1, $2, $3)::text";
    private static final String LABELS = "select queen.list_labels_v1($1, $2, $3)::text";
    private static final String OVERVIEW = "select queen.overview_v1()::text";

    private InspectionStore() {}

    /**
     * Queues, the newest first; null for any namespace or task.
     *
     * @param withProcessing pending includes what is being processed
     */
    public static Uni<String> queues(
            Connection connection, String namespace, String task, Page page, boolean withProcessing) {
        return JsonQuery.run(
                connection, QUEUES, Tuple.of(namespace, task, page.limit(), page.offset(), withProcessing));
    }

    /** The queue with a page of its partitions; null when there is none. */
    public static Uni<String> queue(Connection connection, String name, Page page) {
        return JsonQuery.run(connection, QUEUE, Tuple.of(name, page.limit(), page.offset()));
    }

    /** The same as the status routes tell it. */
    public static Uni<String> status(Connection connection, String name, Page page) {
        return JsonQuery.run(connection, STATUS, Tuple.of(name, page.limit(), page.offset()));
    }

    /** The partitions of a queue, null for all queues; the answer is null when there is no such queue. */
    public static Uni<String> partitions(Connection connection, String queue, Page page) {
        return JsonQuery.run(connection, PARTITIONS, Tuple.of(queue, page.limit(), page.offset()));
    }

    public static Uni<String> namespaces(Connection connection, Page page) {
        return JsonQuery.run(connection, LABELS, Tuple.of("namespace", page.limit(), page.offset()));
    }

    public static Uni<String> tasks(Connection connection, Page page) {
        return JsonQuery.run(connection, LABELS, Tuple.of("task", page.limit(), page.offset()));
    }

    public static Uni<String> overview(Connection connection) {
        return JsonQuery.run(connection, OVERVIEW, Tuple.tuple());
    }
}
