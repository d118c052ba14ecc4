package io.queen.ack;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.tracing.MessageWork;
import io.queen.tracing.RequestSpan;
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
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Takes what consumers say of the messages they popped. */
@Path("/api/v1/ack")
@Produces("application/json")
final class AckResource {
    private static final AckResult UNKNOWN_STATUS =
            AckResult.refused("Unknown status: use completed, success, failed, dlq or retry");

    private final Acks acks;
    private final PartitionRights rights;
    private final Tracing tracing;

    AckResource(Acks acks, PartitionRights rights, Tracing tracing) {
        this.acks = acks;
        this.rights = rights;
        this.tracing = tracing;
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    public Uni<RestResponse<byte[]>> ack(byte[] body, @Context RoutingContext context) {
        return apply(() -> List.of(AckReader.one(body)), context);
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    @Path("/batch")
    public Uni<RestResponse<byte[]>> batch(byte[] body, @Context RoutingContext context) {
        return apply(() -> AckReader.batch(body), context);
    }

    private Uni<RestResponse<byte[]>> apply(Supplier<List<Ack>> body, RoutingContext context) {
        return tracing.request(
                MessageWork.ACK, context, span -> apply(span.settles(body.get()), Caller.of(context), span));
    }

    private Uni<RestResponse<byte[]>> apply(List<Ack> list, Caller caller, RequestSpan span) {
        List<Ack> known = list.stream().filter(ack -> ack.status() != null).toList();
        Uni<List<AckResult>> results = known.isEmpty()
                ? Uni.createFrom().item(List.of())
                : rights.check(caller, Right.CONSUME, known, Ack::partitionId, () -> acks.ack(known));
        return results.map(applied -> complete(list, applied))
                .invoke(span::settled)
                .map(all -> JsonAnswer.of(200, json -> write(json, list, all)));
    }

    /** The results of all acks, from those of the acks with a known status. */
    private static List<AckResult> complete(List<Ack> acks, List<AckResult> applied) {
        List<AckResult> all = new ArrayList<>(acks.size());
        int next = 0;
        for (Ack ack : acks) {
            all.add(ack.status() == null ? UNKNOWN_STATUS : applied.get(next++));
        }
        return all;
    }

    private static void write(JsonGenerator json, List<Ack> acks, List<AckResult> results) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < acks.size(); i++) {
            write(json, i, acks.get(i), results.get(i));
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, int index, Ack ack, AckResult result) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", index);
        json.writeStringField("transactionId", ack.transactionId());
        json.writeBooleanField("success", result.error() == null);
        json.writeStringField("error", result.error());
        json.writeStringField("queueName", result.queue());
        json.writeStringField("partitionName", result.partition());
        json.writeBooleanField("leaseReleased", result.leaseReleased());
        json.writeBooleanField("dlq", result.deadLettered());
        json.writeEndObject();
    }
}
