package io.queen.admin.trace;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.admin.message.PayloadJson;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.TimeFormat;
import java.io.IOException;
import java.util.Optional;

/** Writes the traces of a name. */
final class TraceAnswer {
    private TraceAnswer() {}

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
