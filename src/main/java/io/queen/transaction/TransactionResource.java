package io.queen.transaction;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.Transaction;
import io.queen.message.Transaction.Unsupported;
import io.queen.message.TransactionResult;
import io.queen.message.TransactionResult.Acknowledged;
import io.queen.message.TransactionResult.OperationResult;
import io.queen.message.TransactionResult.Pushed;
import io.queen.sidecar.Sidecar;
import io.queen.web.ApiSchema;
import io.queen.web.JsonAnswer;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Pushes and acks that apply together or not at all. */
@Path("/api/v1/transaction")
@Tag(name = "Messages")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class TransactionResource {
    private final Sidecar sidecar;

    TransactionResource(Sidecar sidecar) {
        this.sidecar = sidecar;
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    @Produces("application/json")
    @Operation(
            operationId = "transaction",
            summary = "Push and acknowledge atomically",
            description = "A duplicate transactionId, an unknown message or a lost lease undoes all of it: the answer"
                    + " is then 200 with success false and the reason. With requiredLeases, every message that is"
                    + " acked must still be held under one of them. `failed` dead-letters at once.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = ApiSchema.Transaction.class)))
    @APIResponse(
            responseCode = "200",
            description = "Applied, or undone with success false",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = ApiSchema.TransactionAnswer.class)))
    public Uni<RestResponse<byte[]>> transaction(byte[] body) {
        Transaction transaction = TransactionReader.read(body);
        return run(transaction).map(result -> JsonAnswer.of(200, json -> write(json, result)));
    }

    private Uni<TransactionResult> run(Transaction transaction) {
        for (Transaction.Operation operation : transaction.operations()) {
            if (operation instanceof Unsupported unsupported) {
                return Uni.createFrom().item(TransactionResult.failed(unsupported.reason()));
            }
        }
        return sidecar.transaction(transaction);
    }

    private static void write(JsonGenerator json, TransactionResult result) throws IOException {
        json.writeStartObject();
        json.writeStringField("transactionId", UUID.randomUUID().toString());
        json.writeBooleanField("success", result.error() == null);
        if (result.error() != null) {
            json.writeStringField("error", result.error());
        }
        json.writeArrayFieldStart("results");
        for (int i = 0; i < result.results().size(); i++) {
            write(json, i, result.results().get(i));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, int index, OperationResult result) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", index);
        if (result instanceof Pushed pushed) {
            json.writeStringField("type", "push");
            json.writeBooleanField("success", true);
            json.writeStringField("transactionId", pushed.item().transactionId());
            json.writeStringField("messageId", pushed.messageId().toString());
            json.writeStringField("partitionId", pushed.partitionId().toString());
            json.writeStringField("queueName", pushed.item().queue());
        } else if (result instanceof Acknowledged acknowledged) {
            json.writeStringField("type", "ack");
            json.writeBooleanField("success", true);
            json.writeStringField("transactionId", acknowledged.ack().transactionId());
            json.writeNullField("error");
            json.writeBooleanField("dlq", acknowledged.result().deadLettered());
        }
        json.writeEndObject();
    }
}
