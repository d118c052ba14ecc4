package io.queen.admin.deadletter;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.Ack;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.util.Objects;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestQuery;

/** Makes a single message a dead letter, or gives it another chance. */
@Path("/api/v1/messages")
@Produces("application/json")
final class MessageDeadLetterResource {
    private static final String BY_HAND = "Moved to dead letters by hand";

    private final Redrive redrive;
    private final PartitionRights rights;

    MessageDeadLetterResource(Redrive redrive, PartitionRights rights) {
        this.redrive = redrive;
        this.rights = rights;
    }

    /** The answer to a redrive. */
    @RegisterForReflection
    record Redriven(boolean success, UUID messageId) {}

    /** The answer to a message becoming a dead letter. */
    @RegisterForReflection
    record DeadLettered(boolean success, UUID partitionId) {}

    @Audited
    @POST
    @Path("/{partitionId}/{transactionId}/retry")
    public Uni<Redriven> retry(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @BeanParam RedriveQuery how,
            @Context RoutingContext context) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        boolean copies = how.toAllGroups();
        return rights.check(
                        Caller.of(context), Right.MANAGE, partition, () -> redrive.one(partition, transaction, copies))
                .map(messageId -> new Redriven(true, messageId));
    }

    @Audited
    @POST
    @Path("/{partitionId}/{transactionId}/dlq")
    public Uni<DeadLettered> deadLetter(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @RestQuery String consumerGroup,
            @Context RoutingContext context) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        String group = Objects.requireNonNullElse(QueryParams.name(consumerGroup, "consumerGroup"), Ack.QUEUE_MODE);
        return rights.check(
                        Caller.of(context),
                        Right.MANAGE,
                        partition,
                        () -> redrive.deadLetter(partition, transaction, group, BY_HAND))
                .map(done -> new DeadLettered(true, partition));
    }
}
