package io.queen.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Stores messages. */
@Path("/api/v1/push")
@Tag(name = "Messages")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class PushResource {
    private static final int CREATED = 201;

    private final Sidecar sidecar;

    PushResource(Sidecar sidecar) {
        this.sidecar = sidecar;
    }

    @POST
    @Produces("application/json")
    @Operation(
            summary = "Store messages",
            description = "All items of a request are stored together or not at all, but for those that a full queue"
                    + " (maxSize) refuses: they are answered `failed`. Queues and partitions are created on first push. An item whose transactionId its partition has already is answered `duplicate`"
                    + " with the id of the message stored first.")
    @RequestBody(
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = ApiSchema.Push.class)))
    @APIResponse(
            responseCode = "201",
            description = "One result per item, in order",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(type = SchemaType.ARRAY, implementation = ApiSchema.Pushed.class)))
    public Uni<RestResponse<byte[]>> push(byte[] body) {
        List<PushItem> items = PushReader.read(body);
        if (items.isEmpty()) {
            return Uni.createFrom().item(JsonAnswer.of(CREATED, json -> json.writeRaw("[]")));
        }
        return sidecar.push(items).map(results -> JsonAnswer.of(CREATED, json -> write(json, items, results)));
    }

    private static void write(JsonGenerator json, List<PushItem> items, List<PushResult> results) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < items.size(); i++) {
            write(json, i, items.get(i), results.get(i));
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, int index, PushItem item, PushResult result) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", index);
        json.writeStringField("status", result.status().label());
        json.writeStringField("transaction_id", item.transactionId());
        json.writeStringField("transactionId", item.transactionId());
        if (result.messageId() != null) {
            json.writeStringField("message_id", result.messageId().toString());
        }
        if (result.partitionId() != null) {
            json.writeStringField("partition_id", result.partitionId().toString());
        }
        json.writeStringField(
                "trace_id", item.traceId() == null ? null : item.traceId().toString());
        json.writeStringField("queueName", item.queue());
        if (result.messageId() == null) {
            json.writeStringField("queue", item.queue());
            json.writeStringField("partition", item.partition());
        }
        if (result.error() != null) {
            json.writeStringField("error", result.error());
        }
        json.writeEndObject();
    }
}
