package io.queen.admin.queue;

import io.queen.admin.message.MessageSchema;
import io.queen.admin.message.Messages;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Queues in numbers. */
@Path("/api/v1/status/queues")
@Tag(name = "Inspection")
@APIResponse(responseCode = "default", ref = "Error")
final class StatusResource {
    private static final int QUEUES = 100;
    private static final int MESSAGES = 50;

    private final Inspection inspection;
    private final Messages messages;

    StatusResource(Inspection inspection, Messages messages) {
        this.inspection = inspection;
        this.messages = messages;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "listQueueStatus",
            summary = "Status of queues",
            description = "The newest first. Here `pending` includes what is being processed.")
    @APIResponse(
            responseCode = "200",
            description = "A page of queues",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Queues.class)))
    public Uni<RestResponse<byte[]>> queues(@BeanParam LabelQuery labels, @BeanParam PageQuery page) {
        return inspection
                .statusOfQueues(labels.namespaceName(), labels.taskName(), page.page(QUEUES))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}")
    @Produces("application/json")
    @Operation(
            operationId = "queueStatus",
            summary = "Status of a queue",
            description = "With a page of its partitions, by name.")
    @APIResponse(
            responseCode = "200",
            description = "The queue",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.QueueStatus.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    @Parameter(
            name = "includePartitions",
            in = ParameterIn.QUERY,
            description = "No effect: they are always included",
            schema = @Schema(type = SchemaType.BOOLEAN))
    public Uni<RestResponse<byte[]>> queue(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return inspection
                .statusOfQueue(FieldRules.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}/messages")
    @Produces("application/json")
    @Operation(
            operationId = "listQueueMessages",
            summary = "Messages of a queue",
            description = "Of all time, the newest first, without payloads.")
    @APIResponse(
            responseCode = "200",
            description = "A page of messages",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema =
                                    @Schema(
                                            type = SchemaType.ARRAY,
                                            implementation = MessageSchema.ListedMessage.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> messages(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return messages.ofQueue(FieldRules.name(queue, "queue"), page.page(MESSAGES))
                .map(JsonAnswer::of);
    }
}
