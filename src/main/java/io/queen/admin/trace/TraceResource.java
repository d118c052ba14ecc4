package io.queen.admin.trace;

import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestResponse;

/** Trace events of messages: they vanish with the message. */
@Path("/api/v1/traces")
@Produces("application/json")
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
    public Uni<RestResponse<byte[]>> byMessage(
            @PathParam("partitionId") String partitionId, @PathParam("transactionId") String transactionId) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        return traces.byMessage(partition, FieldRules.name(transactionId, "transactionId"))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/by-name/{traceName}")
    public Uni<RestResponse<byte[]>> byName(@PathParam("traceName") String traceName, @BeanParam PageQuery query) {
        Page page = query.page(DEFAULT_EVENTS);
        return traces.byName(FieldRules.name(traceName, "traceName"), page)
                .map(found -> JsonAnswer.of(200, json -> TraceAnswer.write(json, found, page, cipher)));
    }

    @GET
    @Path("/names")
    public Uni<RestResponse<byte[]>> names(@BeanParam PageQuery query) {
        return traces.names(query.page(DEFAULT_NAMES)).map(JsonAnswer::of);
    }
}
