package io.queen.transaction;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.Ack;
import io.queen.message.Transaction;
import io.queen.message.Transaction.Acknowledge;
import io.queen.message.Transaction.Push;
import io.queen.message.Transaction.Unsupported;
import io.queen.message.TransactionResult;
import io.queen.message.TransactionResult.Acknowledged;
import io.queen.message.TransactionResult.OperationResult;
import io.queen.message.TransactionResult.Pushed;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.tracing.MessageWork;
import io.queen.tracing.Tracing;
import io.queen.web.JsonAnswer;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Pushes and acks that apply together or not at all. */
@Path("/api/v1/transaction")
@Produces("application/json")
final class TransactionResource {
    private final Transactions transactions;
    private final PartitionRights rights;
    private final Tracing tracing;

    TransactionResource(Transactions transactions, PartitionRights rights, Tracing tracing) {
        this.transactions = transactions;
        this.rights = rights;
        this.tracing = tracing;
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    public Uni<RestResponse<byte[]>> transaction(byte[] body, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return tracing.request(
                MessageWork.TRANSACTION,
                context,
                span -> run(span.commits(TransactionReader.read(body, caller.subject())), caller)
                        .invoke(span::committed)
                        .map(result -> JsonAnswer.of(200, json -> write(json, result))));
    }

    private Uni<TransactionResult> run(Transaction transaction, Caller caller) {
        List<Ack> acks = new ArrayList<>();
        for (Transaction.Operation operation : transaction.operations()) {
            if (operation instanceof Unsupported unsupported) {
                return Uni.createFrom().item(TransactionResult.failed(unsupported.reason()));
            } else if (operation instanceof Push push) {
                caller.require(Right.PRODUCE, push.item().queue());
            } else if (operation instanceof Acknowledge acknowledge) {
                acks.add(acknowledge.ack());
            }
        }
        return rights.check(caller, Right.CONSUME, acks, Ack::partitionId, () -> transactions.apply(transaction));
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
