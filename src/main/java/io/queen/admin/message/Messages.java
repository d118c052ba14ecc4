package io.queen.admin.message;

import io.queen.admin.message.MessageStore.Portion;
import io.queen.admin.queue.Inspection;
import io.queen.database.Database;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Looks at single messages, and removes them. */
@Singleton
public final class Messages {
    /** Messages that one statement of a clearing removes: pushes to their partitions wait no longer than that takes. */
    private static final int PORTION = 5000;

    private final Database database;

    Messages(Database database) {
        this.database = database;
    }

    /** Messages, the newest first, as JSON. */
    public Uni<String> list(MessageFilter filter, Page page) {
        return MessageStore.list(database.general(), filter, page);
    }

    /** The messages of a queue, of all time, as a JSON array. */
    public Uni<String> ofQueue(String queue, Page page) {
        return Inspection.known(MessageStore.ofQueue(database.general(), queue, page), queue);
    }

    public Uni<DescribedMessage> detail(UUID partitionId, String transactionId) {
        return MessageStore.detail(database.general(), partitionId, transactionId)
                .onItem()
                .ifNull()
                .failWith(() -> notFound(partitionId, transactionId));
    }

    /** Removes the message with its dead letters and traces; false when there was none. */
    public Uni<Boolean> delete(UUID partitionId, String transactionId) {
        return MessageStore.delete(database.general(), partitionId, transactionId);
    }

    /** Removes all messages of the queue, or of one of its partitions, and tells how many. */
    public Uni<Long> clear(String queue, String partition) {
        return clear(queue, partition, Portion.START, 0);
    }

    private Uni<Long> clear(String queue, String partition, Portion before, long deleted) {
        return MessageStore.clear(database.general(), queue, partition, before, PORTION)
                .flatMap(portion -> {
                    if (portion.deleted() == null) {
                        return Uni.createFrom().failure(unknown(queue, partition));
                    }
                    long sum = deleted + portion.deleted();
                    return portion.lastPartition() == null
                            ? Uni.createFrom().item(sum)
                            : clear(queue, partition, portion, sum);
                });
    }

    private static QueenException unknown(String queue, String partition) {
        return partition == null
                ? new QueenException(ErrorCode.QUEUE_NOT_FOUND, "Queue not found: " + queue)
                : new QueenException(
                        ErrorCode.PARTITION_NOT_FOUND, "Partition not found: " + partition + " of queue " + queue);
    }

    public static QueenException notFound(UUID partitionId, String transactionId) {
        return new QueenException(
                ErrorCode.MESSAGE_NOT_FOUND, "Message not found: " + transactionId + " in partition " + partitionId);
    }
}
