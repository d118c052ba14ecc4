package io.queen.admin.queue;

import io.queen.database.Queries;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;

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
            Queries database, String namespace, String task, Page page, boolean withProcessing) {
        return database.json(QUEUES, namespace, task, page.limit(), page.offset(), withProcessing);
    }

    /** The queue with a page of its partitions; null when there is none. */
    public static Uni<String> queue(Queries database, String name, Page page) {
        return database.json(QUEUE, name, page.limit(), page.offset());
    }

    /** The same as the status routes tell it. */
    public static Uni<String> status(Queries database, String name, Page page) {
        return database.json(STATUS, name, page.limit(), page.offset());
    }

    /** The partitions of a queue, null for all queues; the answer is null when there is no such queue. */
    public static Uni<String> partitions(Queries database, String queue, Page page) {
        return database.json(PARTITIONS, queue, page.limit(), page.offset());
    }

    public static Uni<String> namespaces(Queries database, Page page) {
        return database.json(LABELS, "namespace", page.limit(), page.offset());
    }

    public static Uni<String> tasks(Queries database, Page page) {
        return database.json(LABELS, "task", page.limit(), page.offset());
    }

    public static Uni<String> overview(Queries database) {
        return database.json(OVERVIEW);
    }
}
