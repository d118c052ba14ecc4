package io.queen.push;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.buffer.PushRouter;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.web.ApiSchema;
import io.queen.web.JsonAnswer;
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
import org.jboss.resteasy.reactive.server.Cancellable;

/** Stores messages. */
@Path("/api/v1/push")
@Tag(name = "Messages")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class PushResource {
    private static final int CREATED = 201;

    private final PushRouter door;

    PushResource(PushRouter door) {
        this.door = door;
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    @Produces("application/json")
    @Operation(
            operationId = "push",
            summary = "Store messages",
            description = "All items of a request are stored together or not at all, but for those that a full queue"
                    + " (maxSize) refuses: they are answered `failed`. Queues and partitions are created on first push. An item whose transactionId its partition has already is answered `duplicate`"
                    + " with the id of the message stored first. While PostgreSQL is away, or push maintenance is on,"
                    + " the answer is `buffered`: the message is on the server's disk and will be stored.")
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
        return door.push(items).map(results -> JsonAnswer.of(CREATED, json -> write(json, items, results)));
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
        json.writeStringField("status", result.status().text());
        json.writeStringField("transaction_id", item.transactionId());
        json.writeStringField("transactionId", item.transactionId());
        switch (result.status()) {
            case QUEUED, DUPLICATE -> writeStored(json, item, result);
            case BUFFERED -> writePlace(json, item);
            case FAILED -> {
                writePlace(json, item);
                json.writeStringField("error", result.error());
            }
        }
        json.writeStringField("queueName", item.queue());
        json.writeEndObject();
    }

    private static void writeStored(JsonGenerator json, PushItem item, PushResult result) throws IOException {
        json.writeStringField("message_id", result.messageId().toString());
        json.writeStringField("partition_id", result.partitionId().toString());
        json.writeStringField(
                "trace_id", item.traceId() == null ? null : item.traceId().toString());
    }

    /** Where it will be, or would have been. */
    private static void writePlace(JsonGenerator json, PushItem item) throws IOException {
        json.writeStringField("queue", item.queue());
        json.writeStringField("partition", item.partition());
    }
}
