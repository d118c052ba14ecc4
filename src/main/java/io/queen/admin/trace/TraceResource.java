package io.queen.admin.trace;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.queen.runtime.ServerId;
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
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;

/** What consumers tell of the messages they work on. Trace events vanish with the message. */
@Path("/api/v1/traces")
@Produces("application/json")
final class TraceResource {
    private static final int DEFAULT_EVENTS = 100;
    private static final int DEFAULT_NAMES = 50;

    private final TraceStore store;
    private final PayloadCipher cipher;
    private final String server;

    TraceResource(TraceStore store, PayloadCipher cipher, ServerId server) {
        this.store = store;
        this.cipher = cipher;
        this.server = server.value();
    }

    /** The answer to a new event. */
    @RegisterForReflection
    record Recorded(boolean success, UUID traceId) {}

    @POST
    @ResponseStatus(201)
    public Uni<Recorded> record(byte[] body) {
        return store.record(TraceReader.read(body), server)
                .onItem()
                .ifNull()
                .failWith(() -> new QueenException(ErrorCode.MESSAGE_NOT_FOUND, "Message not found"))
                .map(id -> new Recorded(true, id));
    }

    @GET
    @Path("/{partitionId}/{transactionId}")
    public Uni<RestResponse<byte[]>> byMessage(
            @PathParam("partitionId") String partitionId, @PathParam("transactionId") String transactionId) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        return store.byMessage(partition, FieldRules.name(transactionId, "transactionId"))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/by-name/{traceName}")
    public Uni<RestResponse<byte[]>> byName(@PathParam("traceName") String traceName, @BeanParam PageQuery query) {
        Page page = query.page(DEFAULT_EVENTS);
        return store.byName(FieldRules.name(traceName, "traceName"), page)
                .map(found -> found.answer("traces", "message_payload", "message_payload_error", page, cipher));
    }

    @GET
    @Path("/names")
    public Uni<RestResponse<byte[]>> names(@BeanParam PageQuery query) {
        return store.names(query.page(DEFAULT_NAMES)).map(JsonAnswer::of);
    }
}
