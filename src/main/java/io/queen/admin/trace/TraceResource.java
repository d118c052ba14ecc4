package io.queen.admin.trace;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.admin.trace.TraceStore.NewTrace;
import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.queen.runtime.ServerId;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
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
    private final PartitionRights rights;

    TraceResource(TraceStore store, PayloadCipher cipher, ServerId server, PartitionRights rights) {
        this.store = store;
        this.cipher = cipher;
        this.server = server.value();
        this.rights = rights;
    }

    /** The answer to a new event. */
    @RegisterForReflection
    record Recorded(boolean success, UUID traceId) {}

    @POST
    @ResponseStatus(201)
    public Uni<Recorded> record(byte[] body, @Context RoutingContext context) {
        NewTrace trace = TraceReader.read(body);
        return rights.check(Caller.of(context), Right.CONSUME, trace.partitionId(), () -> store.record(trace, server))
                .onItem()
                .ifNull()
                .failWith(() -> new QueenException(ErrorCode.MESSAGE_NOT_FOUND, "Message not found"))
                .map(id -> new Recorded(true, id));
    }

    @GET
    @Path("/{partitionId}/{transactionId}")
    public Uni<RestResponse<byte[]>> byMessage(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @Context RoutingContext context) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        return rights.check(Caller.of(context), Right.READ, partition, () -> store.byMessage(partition, transaction))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/by-name/{traceName}")
    public Uni<RestResponse<byte[]>> byName(
            @PathParam("traceName") String traceName, @BeanParam PageQuery query, @Context RoutingContext context) {
        Page page = query.page(DEFAULT_EVENTS);
        return store.byName(FieldRules.name(traceName, "traceName"), page, readable(context))
                .map(found -> found.answer("traces", "message_payload", "message_payload_error", page, cipher));
    }

    @GET
    @Path("/names")
    public Uni<RestResponse<byte[]>> names(@BeanParam PageQuery query, @Context RoutingContext context) {
        return store.names(query.page(DEFAULT_NAMES), readable(context)).map(JsonAnswer::of);
    }

    private static String[] readable(RoutingContext context) {
        return Caller.of(context).queues(Right.READ);
    }
}
