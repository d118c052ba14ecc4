package io.queen.admin.message;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.admin.message.MessageStore.Portion;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;

/** Removes all messages of a queue, or of one of its partitions, in portions. */
@Path("/api/v1/queues")
@Produces("application/json")
final class ClearResource {
    /** Messages that one statement removes: pushes to their partitions wait no longer than that takes. */
    private static final int PORTION = 5000;

    private final MessageStore store;

    ClearResource(MessageStore store) {
        this.store = store;
    }

    /** The answer. */
    @RegisterForReflection
    record Cleared(boolean cleared, String queue, long deleted) {}

    @Audited
    @DELETE
    @Path("/{queue}/clear")
    public Uni<Cleared> clear(@PathParam("queue") String queue, @RestQuery String partition) {
        String name = FieldRules.name(queue, "queue");
        return clear(name, QueryParams.name(partition, "partition"), Portion.START, 0)
                .map(deleted -> new Cleared(true, name, deleted));
    }

    private Uni<Long> clear(String queue, String partition, Portion before, long deleted) {
        return store.clear(queue, partition, before, PORTION).flatMap(portion -> {
            if (portion.deleted() == null) {
                return Uni.createFrom().failure(notFound(queue, partition));
            }
            long sum = deleted + portion.deleted();
            return portion.lastPartition() == null ? Uni.createFrom().item(sum) : clear(queue, partition, portion, sum);
        });
    }

    private static QueenException notFound(String queue, String partition) {
        return partition == null
                ? QueenException.queueNotFound(queue)
                : new QueenException(
                        ErrorCode.PARTITION_NOT_FOUND, "Partition not found: " + partition + " of queue " + queue);
    }
}
