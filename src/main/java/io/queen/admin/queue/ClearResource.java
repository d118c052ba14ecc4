package io.queen.admin.queue;

import io.queen.admin.message.MessageSchema;
import io.queen.admin.message.Messages;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Empties queues. */
@Path("/api/v1/queues")
@Tag(name = "Queues")
@APIResponse(responseCode = "default", ref = "Error")
final class ClearResource {
    private final Messages messages;

    ClearResource(Messages messages) {
        this.messages = messages;
    }

    @DELETE
    @Path("/{queue}/clear")
    @Produces("application/json")
    @Operation(
            operationId = "clearQueue",
            summary = "Clear a queue",
            description = "Removes its messages, or those of one partition, with their dead letters and traces. The"
                    + " queue, its partitions and groups stay; cursors move to the end. What is pushed meanwhile may"
                    + " stay.")
    @APIResponse(
            responseCode = "200",
            description = "The messages are gone",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Cleared.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> clear(@PathParam("queue") String queue, @RestQuery String partition) {
        String name = FieldRules.name(queue, "queue");
        return messages.clear(name, QueryParams.name(partition, "partition")).map(deleted -> answer(name, deleted));
    }

    private static RestResponse<byte[]> answer(String queue, long deleted) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeBooleanField("cleared", true);
            json.writeStringField("queue", queue);
            json.writeNumberField("deleted", deleted);
            json.writeEndObject();
        });
    }
}
