package io.queen.admin.message;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.QueenException;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestResponse;

/** Single messages: found, shown, removed. */
@Path("/api/v1/messages")
@Produces("application/json")
final class MessageResource {
    private static final int MESSAGES = 200;
    private static final Duration WINDOW = Duration.ofHours(1);

    private final MessageStore store;
    private final PayloadCipher cipher;
    private final PartitionRights rights;

    MessageResource(MessageStore store, PayloadCipher cipher, PartitionRights rights) {
        this.store = store;
        this.cipher = cipher;
        this.rights = rights;
    }

    /** The answer to a deletion; that there was nothing to delete is no error. */
    @RegisterForReflection
    record Deleted(boolean success, UUID partitionId, String transactionId, String message) {}

    @GET
    public Uni<RestResponse<byte[]>> list(
            @BeanParam MessageQuery query,
            @BeanParam RangeQuery range,
            @BeanParam PageQuery page,
            @Context RoutingContext context) {
        String[] readable = Caller.of(context).queues(Right.READ);
        return store.list(query.filter(range.range(WINDOW)), page.page(MESSAGES), readable)
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{partitionId}/{transactionId}")
    public Uni<RestResponse<byte[]>> detail(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @Context RoutingContext context) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        return rights.check(Caller.of(context), Right.READ, partition, () -> store.detail(partition, transaction))
                .onItem()
                .ifNull()
                .failWith(() -> QueenException.messageNotFound(partition, transaction))
                .map(message -> JsonAnswer.of(message.withPayload("payload", "payloadError", cipher)));
    }

    @Audited
    @DELETE
    @Path("/{partitionId}/{transactionId}")
    public Uni<Deleted> delete(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @Context RoutingContext context) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        return rights.check(Caller.of(context), Right.MANAGE, partition, () -> store.delete(partition, transaction))
                .map(existed -> new Deleted(
                        existed, partition, transaction, existed ? "Message deleted" : "Message not found"));
    }
}
