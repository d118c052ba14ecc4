package io.queen.admin.group;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;

/** Ends a lease whose holder is not coming back. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/release")
@Produces("application/json")
final class LeaseReleaseResource {
    private final Groups groups;

    LeaseReleaseResource(Groups groups) {
        this.groups = groups;
    }

    @POST
    public Uni<GroupAnswer.Released> release(
            @PathParam("group") String group,
            @PathParam("queue") String queue,
            @PathParam("partition") String partition) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        String lane = FieldRules.name(partition, "partition");
        return groups.release(name, where, lane)
                .map(done -> GroupAnswer.Released.of(name, where, lane, existing(done)));
    }

    private static ReleasedLease existing(ReleasedLease done) {
        if (done.partitionId() == null) {
            throw new QueenException(ErrorCode.PARTITION_NOT_FOUND, "Partition not found");
        }
        return done;
    }
}
