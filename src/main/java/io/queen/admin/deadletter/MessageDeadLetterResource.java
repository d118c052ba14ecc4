package io.queen.admin.deadletter;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.Ack;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.Objects;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestQuery;

/** Makes a single message a dead letter, or gives it another chance. */
@Path("/api/v1/messages")
@Produces("application/json")
final class MessageDeadLetterResource {
    private static final String BY_HAND = "Moved to dead letters by hand";

    private final Redrive redrive;

    MessageDeadLetterResource(Redrive redrive) {
        this.redrive = redrive;
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
            @BeanParam RedriveQuery how) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        return redrive.one(partition, FieldRules.name(transactionId, "transactionId"), how.toAllGroups())
                .map(messageId -> new Redriven(true, messageId));
    }

    @Audited
    @POST
    @Path("/{partitionId}/{transactionId}/dlq")
    public Uni<DeadLettered> deadLetter(
            @PathParam("partitionId") String partitionId,
            @PathParam("transactionId") String transactionId,
            @RestQuery String consumerGroup) {
        UUID partition = FieldRules.uuid(partitionId, "partitionId");
        String transaction = FieldRules.name(transactionId, "transactionId");
        String group = Objects.requireNonNullElse(QueryParams.name(consumerGroup, "consumerGroup"), Ack.QUEUE_MODE);
        return redrive.deadLetter(partition, transaction, group, BY_HAND)
                .map(done -> new DeadLettered(true, partition));
    }
}
