package io.queen.push;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.security.Caller;
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
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Stores messages. */
@Path("/api/v1/push")
@Produces("application/json")
public final class PushResource {
    private static final int CREATED = 201;

    private final PushRouter router;
    private final Tracing tracing;

    PushResource(PushRouter router, Tracing tracing) {
        this.router = router;
        this.tracing = tracing;
    }

    @POST
    @Cancellable(false) // the work goes on when the client has gone, and its body counts until then
    public Uni<RestResponse<byte[]>> push(byte[] body, @Context RoutingContext context) {
        return tracing.request(MessageWork.PUSH, context, span -> push(body, Caller.of(context), span));
    }

    private Uni<RestResponse<byte[]>> push(byte[] body, Caller caller, RequestSpan span) {
        List<PushItem> items = PushReader.read(body, caller.subject());
        items.forEach(item -> caller.require(Right.PRODUCE, item.queue()));
        if (items.isEmpty()) {
            return Uni.createFrom().item(JsonAnswer.of(CREATED, json -> json.writeRaw("[]")));
        }
        return router.push(span.sends(items))
                .invoke(span::sent)
                .map(results -> JsonAnswer.of(CREATED, json -> write(json, items, results)));
    }

    /** The outcomes of a push, of a request or of a cycle. */
    public static void write(JsonGenerator json, List<PushItem> items, List<PushResult> results) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < items.size(); i++) {
            write(json, i, items.get(i), results.get(i));
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, int index, PushItem item, PushResult result) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", index);
        json.writeStringField("status", result.status().text());
        json.writeStringField("transaction_id", item.transactionId());
        json.writeStringField("transactionId", item.transactionId());
        switch (result.status()) {
            case QUEUED, DUPLICATE -> writeStored(json, item, result);
            case BUFFERED -> writePlace(json, item);
            case FAILED -> {
                writePlace(json, item);
                json.writeStringField("error", result.error());
            }
        }
        json.writeStringField("queueName", item.queue());
        json.writeEndObject();
    }

    private static void writeStored(JsonGenerator json, PushItem item, PushResult result) throws IOException {
        json.writeStringField("message_id", result.messageId().toString());
        json.writeStringField("partition_id", result.partitionId().toString());
        json.writeStringField(
                "trace_id", item.traceId() == null ? null : item.traceId().toString());
    }

    /** Where it will be, or would have been. */
    private static void writePlace(JsonGenerator json, PushItem item) throws IOException {
        json.writeStringField("queue", item.queue());
        json.writeStringField("partition", item.partition());
    }
}
