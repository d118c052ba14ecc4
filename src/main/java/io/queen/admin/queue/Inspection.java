package io.queen.admin.queue;

import io.queen.database.Database;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Looks at queues and partitions. Answers are JSON, to be passed on as they are. */
@Singleton
public final class Inspection {
    private final Database database;

    Inspection(Database database) {
        this.database = database;
    }

    /** Queues, the newest first; null for any namespace or task. */
    public Uni<String> queues(String namespace, String task, Page page) {
        return InspectionStore.queues(database.general(), namespace, task, page, false);
    }

    /** The same, where pending includes what is being processed. */
    public Uni<String> statusOfQueues(String namespace, String task, Page page) {
        return InspectionStore.queues(database.general(), namespace, task, page, true);
    }

    /** A queue with a page of its partitions. */
    public Uni<String> queue(String name, Page page) {
        return known(InspectionStore.queue(database.general(), name, page), name);
    }

    /** The same as the status routes tell it. */
    public Uni<String> statusOfQueue(String name, Page page) {
        return known(InspectionStore.status(database.general(), name, page), name);
    }

    /** The partitions of a queue, null for all queues. */
    public Uni<String> partitions(String queue, Page page) {
        return known(InspectionStore.partitions(database.general(), queue, page), queue);
    }

    public Uni<String> namespaces(Page page) {
        return InspectionStore.namespaces(database.general(), page);
    }

    public Uni<String> tasks(Page page) {
        return InspectionStore.tasks(database.general(), page);
    }

    public Uni<String> overview() {
        return InspectionStore.overview(database.general());
    }

    public static <T> Uni<T> known(Uni<T> answer, String queue) {
        return answer.onItem()
                .ifNull()
                .failWith(() -> new QueenException(ErrorCode.QUEUE_NOT_FOUND, "Queue not found: " + queue));
    }
}
