package io.queen.admin.trace;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.admin.message.PayloadJson;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.TimeFormat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Writes the traces of a name; the records show answers that are written without them. */
final class TraceAnswer {
    private TraceAnswer() {}

    record NewTrace(
            @Schema(required = true) String transactionId,
            @Schema(required = true, format = "uuid") String partitionId,

            @Schema(required = true, description = "Any JSON")
            Object data,

            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup,
            @Schema(defaultValue = "info") String eventType,

            @Schema(description = "One name, or several in an array")
            Object traceNames) {}

    record Recorded(
            boolean success, @Schema(format = "uuid") String traceId) {}

    record OfMessage(List<Trace> traces) {}

    record Trace(
            @Schema(format = "uuid") String id,
            String event_type,
            Object data,
            String consumer_group,
            String worker_id,
            @Schema(format = "date-time") String created_at,
            List<String> trace_names) {}

    record OfName(List<NamedTrace> traces, long total, Pagination pagination) {}

    record NamedTrace(
            @Schema(format = "uuid") String id,
            String transaction_id,
            @Schema(format = "uuid") String partition_id,
            String event_type,
            Object data,
            String consumer_group,
            String worker_id,
            @Schema(format = "date-time") String created_at,
            String queue_name,
            String partition_name,

            @Schema(description = "Null when the message is gone")
            Object message_payload,

            List<String> trace_names) {}

    record Names(List<NameCount> trace_names, List<Name> names, long total, Pagination pagination) {}

    record NameCount(
            String trace_name,
            long trace_count,
            long message_count,
            @Schema(format = "date-time") String last_seen) {}

    record Name(
            String name,
            long count,
            @Schema(format = "date-time") String firstSeen,
            @Schema(format = "date-time") String lastSeen) {}

    public record Pagination(int limit, int offset) {}

    static void write(JsonGenerator json, TracePage found, Page page, PayloadCipher cipher) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("traces");
        for (TracePage.Event event : found.events()) {
            write(json, event, cipher);
        }
        json.writeEndArray();
        json.writeNumberField("total", found.total());
        json.writeObjectFieldStart("pagination");
        json.writeNumberField("limit", page.limit());
        json.writeNumberField("offset", page.offset());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, TracePage.Event event, PayloadCipher cipher) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", event.id().toString());
        json.writeStringField("transaction_id", event.transactionId());
        json.writeStringField("partition_id", event.partitionId().toString());
        json.writeStringField("event_type", event.eventType());
        json.writeFieldName("data");
        json.writeRawValue(event.data());
        json.writeStringField("consumer_group", event.consumerGroup());
        json.writeStringField("worker_id", event.workerId());
        json.writeStringField("created_at", TimeFormat.millis(event.createdAt()));
        json.writeStringField("queue_name", event.queue());
        json.writeStringField("partition_name", event.partition());
        Optional<String> payload = PayloadJson.clear(event.payload(), event.encrypted(), cipher);
        json.writeFieldName("message_payload");
        json.writeRawValue(payload.orElse("null"));
        if (payload.isEmpty()) {
            json.writeStringField("message_payload_error", PayloadJson.UNREADABLE);
        }
        json.writeArrayFieldStart("trace_names");
        for (String name : event.names()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
