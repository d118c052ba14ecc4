package io.queen.admin.trace;

import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.Problem;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Trace events of messages: they vanish with the message. */
@Path("/api/v1/traces")
@Tag(name = "Traces")
@APIResponse(responseCode = "default", ref = "Error")
final class TraceResource {
    private static final int DEFAULT_EVENTS = 100;
    private static final int DEFAULT_NAMES = 50;

    private final Traces traces;
    private final PayloadCipher cipher;

    TraceResource(Traces traces, PayloadCipher cipher) {
        this.traces = traces;
        this.cipher = cipher;
    }

    @POST
    @Produces("application/json")
    @Operation(
            operationId = "recordTrace",
            summary = "Record an event for a message",
            description = "Under any number of names, or none.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = TraceAnswer.NewTrace.class)))
    @APIResponse(
            responseCode = "201",
            description = "Recorded",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = TraceAnswer.Recorded.class)))
    @APIResponse(responseCode = "400", ref = "Error")
    @APIResponse(
            responseCode = "404",
            description = "There is no such message",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Problem.class)))
    public Uni<RestResponse<byte[]>> record(byte[] body) {
        return traces.record(TraceReader.read(body)).map(TraceResource::recorded);
    }

    private static RestResponse<byte[]> recorded(UUID id) {
        return JsonAnswer.of(201, json -> {
            json.writeStartObject();
            json.writeBooleanField("success", true);
            json.writeStringField("traceId", id.toString());
            json.writeEndObject();
        });
    }

    @GET
    @Path("/{partitionId}/{transactionId}")
    @Produces("application/json")
    @Operation(
            operationId = "listTraces",
            summary = "The events of a message, oldest first",
            description = "None for an unknown message.")
    @APIResponse(
            responseCode = "200",
            description = "The events",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = TraceAnswer.OfMessage.class)))
    @APIResponse(responseCode = "400", ref = "Error")
    public Uni<RestResponse<byte[]>> byMessage(
            @PathParam("partitionId") String partitionId, @PathParam("transactionId") String transactionId) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        return traces.byMessage(partition, FieldRules.name(transactionId, "transactionId"))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/by-name/{traceName}")
    @Produces("application/json")
    @Operation(
            operationId = "listTracesByName",
            summary = "The events of a name, oldest first",
            description = "Of all messages, each with the payload of its message.")
    @APIResponse(
            responseCode = "200",
            description = "The events; `limit` is 100 when not given",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = TraceAnswer.OfName.class)))
    public Uni<RestResponse<byte[]>> byName(@PathParam("traceName") String traceName, @BeanParam PageQuery query) {
        Page page = query.page(DEFAULT_EVENTS);
        return traces.byName(FieldRules.name(traceName, "traceName"), page)
                .map(found -> JsonAnswer.of(200, json -> TraceAnswer.write(json, found, page, cipher)));
    }

    @GET
    @Path("/names")
    @Produces("application/json")
    @Operation(operationId = "listTraceNames", summary = "The names in use, the most recent first")
    @APIResponse(
            responseCode = "200",
            description = "The names; `limit` is 50 when not given",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = TraceAnswer.Names.class)))
    public Uni<RestResponse<byte[]>> names(@BeanParam PageQuery query) {
        return traces.names(query.page(DEFAULT_NAMES)).map(JsonAnswer::of);
    }
}
