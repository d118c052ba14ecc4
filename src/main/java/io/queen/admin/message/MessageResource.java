package io.queen.admin.message;

import io.queen.admin.deadletter.DeadLetters;
import io.queen.admin.deadletter.RedriveQuery;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Ack;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.time.Duration;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Single messages: found, shown, removed, made dead letters, redriven. */
@Path("/api/v1/messages")
@Tag(name = "Inspection")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class MessageResource {
    private static final int MESSAGES = 200;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final String BY_HAND = "Moved to dead letters by hand";

    private final Messages messages;
    private final DeadLetters deadLetters;
    private final PayloadCipher cipher;

    MessageResource(Messages messages, DeadLetters deadLetters, PayloadCipher cipher) {
        this.messages = messages;
        this.deadLetters = deadLetters;
        this.cipher = cipher;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "listMessages",
            summary = "List messages",
            description = "The newest first, without payloads; those of the last hour when no time is given. `to` is"
                    + " extended to the end of its minute.")
    @APIResponse(
            responseCode = "200",
            description = "A page of messages",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Messages.class)))
    public Uni<RestResponse<byte[]>> list(
            @BeanParam MessageQuery query, @BeanParam RangeQuery range, @BeanParam PageQuery page) {
        return messages.list(query.filter(range.range(WINDOW)), page.page(MESSAGES))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{partitionId}/{transactionId}")
    @Produces("application/json")
    @Operation(
            operationId = "showMessage",
            summary = "Show a message",
            description = "With its payload and where each group stands.")
    @APIResponse(
            responseCode = "200",
            description = "The message",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.MessageDetail.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> detail(
            @PathParam("partitionId") String partitionId, @PathParam("transactionId") String transactionId) {
        return messages.detail(partition(partitionId), transaction(transactionId))
                .map(message -> JsonAnswer.of(PayloadJson.with(message, "payload", cipher)));
    }

    @DELETE
    @Path("/{partitionId}/{transactionId}")
    @Produces("application/json")
    @Operation(
            operationId = "deleteMessage",
            summary = "Delete a message",
            description = "With its dead letters and traces. When there is none, `success` is false.")
    @APIResponse(
            responseCode = "200",
            description = "Whether it was there",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Removed.class)))
    public Uni<RestResponse<byte[]>> delete(
            @PathParam("partitionId") String partitionId, @PathParam("transactionId") String transactionId) {
        UUID partition = partition(partitionId);
        String transaction = transaction(transactionId);
        return messages.delete(partition, transaction).map(existed -> deleted(partition, transaction, existed));
    }

    @POST
    @Path("/{partitionId}/{transactionId}/retry")
    @Produces("application/json")
    @Operation(
            operationId = "redriveMessage",
            summary = "Redrive a dead letter",
            description = "Gives the message to the groups that failed it, as `POST /api/v1/dlq/redrive` does. With"
                    + " `allGroups=true` a copy is pushed to the end of its partition instead, for every group.")
    @APIResponse(
            responseCode = "200",
            description = "It was redriven: the id of the message, or of the copy",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Retried.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    @APIResponse(responseCode = "409", description = "The message is not a dead letter", ref = "Error")
    public Uni<RestResponse<byte[]>> retry(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @BeanParam RedriveQuery how) {
        return deadLetters
                .redrive(partition(partitionId), transaction(transactionId), how.toAllGroups())
                .map(messageId -> success("messageId", messageId.toString()));
    }

    @POST
    @Path("/{partitionId}/{transactionId}/dlq")
    @Produces("application/json")
    @Operation(
            operationId = "buryMessage",
            summary = "Make a message a dead letter",
            description = "Of `consumerGroup`, `__QUEUE_MODE__` when absent. When it is the group's next message, the"
                    + " cursor passes it. One that the group has consumed, or has others to consume before, becomes"
                    + " a dead letter too, but the cursor stays: the latter is still delivered when its turn comes.")
    @APIResponse(
            responseCode = "200",
            description = "It is a dead letter",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Buried.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> bury(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @RestQuery String consumerGroup) {
        UUID partition = partition(partitionId);
        String group = QueryParams.name(consumerGroup, "consumerGroup");
        return deadLetters
                .bury(partition, transaction(transactionId), group == null ? Ack.QUEUE_MODE : group, BY_HAND)
                .map(done -> success("partitionId", partition.toString()));
    }

    private static UUID partition(String text) {
        return FieldRules.uuid(text, "partitionId");
    }

    private static String transaction(String text) {
        return FieldRules.name(text, "transactionId");
    }

    private static RestResponse<byte[]> success(String field, String value) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeBooleanField("success", true);
            json.writeStringField(field, value);
            json.writeEndObject();
        });
    }

    private static RestResponse<byte[]> deleted(UUID partitionId, String transactionId, boolean existed) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeBooleanField("success", existed);
            json.writeStringField("partitionId", partitionId.toString());
            json.writeStringField("transactionId", transactionId);
            json.writeStringField("message", existed ? "Message deleted" : "Message not found");
            json.writeEndObject();
        });
    }
}
