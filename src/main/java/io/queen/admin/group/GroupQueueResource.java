package io.queen.admin.group;

import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;

/** A group in one queue: moving it, forward and back, its leases, and its end. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}")
@Produces("application/json")
final class GroupQueueResource {
    private final Groups groups;

    GroupQueueResource(Groups groups) {
        this.groups = groups;
    }

    @Audited
    @DELETE
    public Uni<GroupAnswer.DeletedInQueue> delete(
            @PathParam("group") String group, @PathParam("queue") String queue, @RestQuery String deleteMetadata) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return groups.delete(name, where, GroupResource.metadata(deleteMetadata))
                .map(gone -> new GroupAnswer.DeletedInQueue(true, name, where, gone.partitions(), gone.metadata()));
    }

    @Audited
    @POST
    @Path("/seek")
    public Uni<GroupAnswer.Seeking> seek(
            @PathParam("group") String group, @PathParam("queue") String queue, byte[] body) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        Seek seek = Seek.required(body);
        return seek.dryRun()
                ? groups.preview(name, where, seek).map(GroupAnswer.Previewed::of)
                : groups.seek(name, where, seek).map(moved -> GroupAnswer.Sought.of(name, where, seek, moved));
    }

    @Audited
    @POST
    @Path("/partitions/{partition}/seek")
    public Uni<GroupAnswer.Seeking> seekPartition(
            @PathParam("group") String group,
            @PathParam("queue") String queue,
            @PathParam("partition") String partition,
            byte[] body) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        String which = FieldRules.name(partition, "partition");
        Seek seek = Seek.optional(body);
        return seek.dryRun()
                ? groups.previewPartition(name, where, which, seek).map(GroupAnswer.Previewed::of)
                : groups.seekPartition(name, where, which, seek)
                        .map(done -> GroupAnswer.SoughtPartition.of(name, where, which, done));
    }

    /** Ends a lease whose holder is not coming back. */
    @Audited
    @POST
    @Path("/partitions/{partition}/release")
    public Uni<GroupAnswer.Released> release(
            @PathParam("group") String group,
            @PathParam("queue") String queue,
            @PathParam("partition") String partition) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        String which = FieldRules.name(partition, "partition");
        return groups.release(name, where, which).map(done -> GroupAnswer.Released.of(name, where, which, done));
    }
}
