package io.queen.admin.group;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.Problem;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** A group in one queue: moving it, forward and back, and its end. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}")
@Tag(name = "Groups")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class GroupQueueResource {
    private final Groups groups;

    GroupQueueResource(Groups groups) {
        this.groups = groups;
    }

    @DELETE
    @Produces("application/json")
    @Operation(
            operationId = "deleteGroupOfQueue",
            summary = "Delete a group in one queue",
            description = "As for all queues.")
    @APIResponse(responseCode = "200", description = "It is gone there; unknown is no error")
    public Uni<GroupAnswer.DeletedInQueue> delete(
            @PathParam("group") String group, @PathParam("queue") String queue, @RestQuery String deleteMetadata) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return groups.delete(name, where, GroupResource.metadata(deleteMetadata))
                .map(gone -> new GroupAnswer.DeletedInQueue(true, name, where, gone.partitions(), gone.metadata()));
    }

    @POST
    @Path("/seek")
    @Produces("application/json")
    @Operation(
            operationId = "seekGroup",
            summary = "Move a group in all partitions of a queue",
            description = "Leases of the group are dropped, acks under them are refused. Consumers that wait get what"
                    + " lies after the new cursor. Partitions without messages are left out; a group that never popped"
                    + " from the queue is not moved.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = GroupAnswer.SeekTo.class)))
    @APIResponse(responseCode = "200", description = "In how many partitions it was moved")
    public Uni<GroupAnswer.Sought> seek(
            @PathParam("group") String group, @PathParam("queue") String queue, byte[] body) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        Seek seek = SeekReader.required(body);
        return groups.seek(name, where, seek).map(moved -> GroupAnswer.Sought.of(name, where, seek, moved));
    }

    @POST
    @Path("/partitions/{partition}/seek")
    @Produces("application/json")
    @Operation(
            operationId = "seekPartition",
            summary = "Move a group in one partition",
            description = "As for a whole queue; without a body, or with an empty one, to the end.")
    @RequestBody(
            required = false,
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = GroupAnswer.SeekTo.class)))
    @APIResponse(responseCode = "200", description = "Whether it was moved")
    @APIResponse(
            responseCode = "404",
            description = "There is no such partition",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Problem.class)))
    public Uni<GroupAnswer.SoughtPartition> seekPartition(
            @PathParam("group") String group,
            @PathParam("queue") String queue,
            @PathParam("partition") String partition,
            byte[] body) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        String lane = FieldRules.name(partition, "partition");
        return groups.seekPartition(name, where, lane, SeekReader.optional(body))
                .map(done -> GroupAnswer.SoughtPartition.of(name, where, lane, existing(done)));
    }

    private static PartitionSeek existing(PartitionSeek done) {
        if (done.partitionId() == null) {
            throw new QueenException(ErrorCode.PARTITION_NOT_FOUND, "Partition not found");
        }
        return done;
    }
}
