package io.queen.stream;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.push.PushResource;
import io.queen.security.Caller;
import io.queen.security.PartitionRights;
import io.queen.security.Right;
import io.queen.web.JsonAnswer;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.Cancellable;

/** What the workers of a stream call: registering a query, reading its state, committing its cycles. */
@Path("/streams/v1")
@Produces("application/json")
final class StreamResource {
    private static final int OK = 200;

    private final QueryStore queries;
    private final StreamSweep sweep;
    private final Cycles cycles;
    private final PartitionRights rights;

    StreamResource(QueryStore queries, StreamSweep sweep, Cycles cycles, PartitionRights rights) {
        this.queries = queries;
        this.sweep = sweep;
        this.cycles = cycles;
        this.rights = rights;
    }

    @POST
    @Path("/queries")
    public Uni<RestResponse<byte[]>> register(byte[] body, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        Registration query = Registration.read(body);
        caller.require(Right.CONSUME, query.sourceQueue());
        if (query.sinkQueue() != null) {
            caller.require(Right.PRODUCE, query.sinkQueue());
        }
        return queries.register(query, caller.queues(Right.CONSUME)).map(known -> {
            if (known.forbidden()) {
                throw new QueenException(
                        ErrorCode.QUEUE_FORBIDDEN,
                        "The token does not allow to consume the source of the query " + query.name());
            }
            if (known.reset()) {
                sweep.soon();
            }
            int status = known.conflict() ? ErrorCode.CONFLICT.status() : OK;
            return JsonAnswer.of(status, json -> write(json, query, known));
        });
    }

    private static void write(JsonGenerator json, Registration query, QueryStore.Registered known) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("success", !known.conflict());
        json.writeStringField("query_id", known.id().toString());
        json.writeStringField("name", query.name());
        if (known.conflict()) {
            json.writeStringField(
                    "error",
                    "config_hash mismatch: the query was registered with another one, use reset: true to drop its state"
                            + " or another name");
            json.writeStringField("code", ErrorCode.CONFLICT.name());
        } else {
            json.writeStringField("config_hash", query.configHash());
            json.writeBooleanField("fresh", known.fresh());
            json.writeBooleanField("reset", known.reset());
        }
        json.writeEndObject();
    }

    @POST
    @Path("/cycle")
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    public Uni<RestResponse<byte[]>> cycle(byte[] body, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        CycleReader.Read read = CycleReader.read(body, caller.subject(), cycles.ids());
        for (PushItem item : read.cycle().pushes().items()) {
            caller.require(Right.PRODUCE, item.queue());
        }
        return rights.check(caller, Right.CONSUME, read.cycle().partitionId(), () -> cycles.apply(read))
                .map(result -> JsonAnswer.of(OK, json -> write(json, read.cycle(), result)));
    }

    private static void write(JsonGenerator json, Cycle cycle, CycleResult result) throws IOException {
        boolean success = result.error() == null;
        json.writeStartObject();
        json.writeBooleanField("success", success);
        if (!success) {
            json.writeStringField("error", result.error());
        }
        json.writeStringField("query_id", cycle.queryId().toString());
        json.writeStringField("partition_id", cycle.partitionId().toString());
        json.writeStringField("queueName", result.queue());
        json.writeNumberField("state_ops_applied", success ? cycle.operationCount() : 0);
        json.writeFieldName("push_results");
        if (success) {
            PushResource.write(json, cycle.pushes().items(), result.pushes());
        } else {
            json.writeStartArray();
            json.writeEndArray();
        }
        json.writeFieldName("ack_result");
        write(json, cycle.ackCount(), result);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, int count, CycleResult result) throws IOException {
        if (result.ack() == null) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeBooleanField("success", true);
        json.writeNumberField("count", count);
        json.writeBooleanField("lease_released", result.ack().leaseReleased());
        json.writeBooleanField("dlq", result.ack().deadLettered());
        json.writeEndObject();
    }

    @POST
    @Path("/state/get")
    public Uni<RestResponse<byte[]>> state(byte[] body, @Context RoutingContext context) {
        StateQuery query = StateQuery.read(body);
        return rights.check(Caller.of(context), Right.CONSUME, query.partitionId(), () -> cycles.state(query))
                .map(rows -> JsonAnswer.of(
                        "{\"success\":true,\"rows\":" + rows.orElseThrow(StreamResource::tooLarge) + "}"));
    }

    private static QueenException tooLarge() {
        return QueenException.invalid(
                "keys",
                "must name what is wanted, or key_prefix must: the state has more than " + StateReadOperation.MAX_BYTES
                        + " bytes");
    }
}
