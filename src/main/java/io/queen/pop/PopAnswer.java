package io.queen.pop;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.Claim;
import io.queen.message.PopResult;
import io.queen.message.PoppedMessage;
import io.queen.web.TimeFormat;
import java.io.IOException;

/** Writes popped messages. Payloads go out as they came in. */
final class PopAnswer {
    private PopAnswer() {}

    static void write(JsonGenerator json, PopResult result) throws IOException {
        Claim first = result.claims().get(0);
        json.writeStartObject();
        json.writeBooleanField("success", true);
        json.writeStringField("queue", first.queue());
        json.writeStringField("partition", first.partition());
        json.writeStringField("partitionId", first.partitionId().toString());
        json.writeStringField("leaseId", lease(first));
        json.writeStringField("consumerGroup", first.consumerGroup());
        json.writeNumberField("partitionsClaimed", result.claims().size());
        json.writeArrayFieldStart("messages");
        for (PoppedMessage message : result.messages()) {
            write(json, message);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, PoppedMessage message) throws IOException {
        Claim claim = message.claim();
        json.writeStartObject();
        json.writeStringField("id", message.id().toString());
        json.writeStringField("transactionId", message.transactionId());
        json.writeStringField(
                "traceId", message.traceId() == null ? null : message.traceId().toString());
        json.writeFieldName("data");
        json.writeRawValue(message.payload());
        json.writeStringField("producerSub", message.producerSub());
        json.writeStringField("createdAt", TimeFormat.micros(message.createdAt()));
        json.writeStringField("queue", claim.queue());
        json.writeStringField("partition", claim.partition());
        json.writeStringField("partitionId", claim.partitionId().toString());
        json.writeStringField("leaseId", lease(claim));
        json.writeStringField("consumerGroup", claim.consumerGroup());
        json.writeNumberField("retryCount", claim.retryCount());
        if (message.headers() != null) {
            json.writeFieldName("headers");
            json.writeRawValue(message.headers());
        }
        if (message.deliverAt() != null) {
            json.writeStringField("deliverAt", TimeFormat.micros(message.deliverAt()));
        }
        json.writeEndObject();
    }

    /** Without a lease (auto-acked) clients expect an empty text. */
    private static String lease(Claim claim) {
        return claim.leaseId() == null ? "" : claim.leaseId().toString();
    }
}
