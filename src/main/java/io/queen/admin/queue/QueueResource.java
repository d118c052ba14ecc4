package io.queen.admin.queue;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Queues as resources. */
@Path("/api/v1/resources/queues")
@Tag(name = "Queues")
@APIResponse(responseCode = "default", ref = "Error")
final class QueueResource {
    private final Queues queues;
    private final Inspection inspection;

    QueueResource(Queues queues, Inspection inspection) {
        this.queues = queues;
        this.inspection = inspection;
    }

    /** The answer to a deletion; {@code existed} is false when there was nothing to delete, which is no error. */
    @RegisterForReflection
    record Deleted(boolean deleted, String queue, boolean existed) {}

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "listQueues",
            summary = "List queues",
            description = "The newest first, with their counters.")
    @APIResponse(
            responseCode = "200",
            description = "A page of queues",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Queues.class)))
    public Uni<RestResponse<byte[]>> list(@BeanParam LabelQuery labels, @BeanParam PageQuery page) {
        return inspection
                .queues(labels.namespaceName(), labels.taskName(), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}")
    @Produces("application/json")
    @Operation(
            operationId = "showQueue",
            summary = "Show a queue",
            description = "Its settings, the counters of all its messages, and a page of its partitions, by name.")
    @APIResponse(
            responseCode = "200",
            description = "The queue",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.QueueDetail.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> detail(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return inspection
                .queue(FieldRules.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @DELETE
    @Path("/{queue}")
    @Produces("application/json")
    @Operation(
            operationId = "deleteQueue",
            summary = "Delete a queue",
            description = "With its partitions, messages, cursors, leases, subscriptions, dead letters and traces.")
    @APIResponse(responseCode = "200", description = "It is gone; existed tells whether it was there")
    public Uni<Deleted> delete(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return queues.delete(name).map(existed -> new Deleted(true, name, existed));
    }
}
