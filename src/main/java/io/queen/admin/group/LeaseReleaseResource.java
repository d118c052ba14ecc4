package io.queen.admin.group;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Ends a lease whose holder is not coming back. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/release")
@Tag(name = "Groups")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "404", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class LeaseReleaseResource {
    private final Groups groups;

    LeaseReleaseResource(Groups groups) {
        this.groups = groups;
    }

    @POST
    @Produces("application/json")
    @Operation(
            operationId = "releaseLease",
            summary = "End the lease of a group on a partition",
            description = "As if it had expired now: its messages come again, without counting a retry, and wake pops"
                    + " that wait on all servers; acks and renewals by who held it are refused.")
    @APIResponse(responseCode = "200", description = "Who held it; nobody is no error")
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
