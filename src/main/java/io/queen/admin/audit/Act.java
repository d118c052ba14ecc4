package io.queen.admin.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * Something that a caller did, or tried to do, in the place of an operator. All texts are such that PostgreSQL can hold
 * them; null for none.
 *
 * @param act what, by the {@code operationId} of the API
 * @param status of the answer, and the {@code code} of an error
 * @param subject the caller, as its token says
 * @param partition its name, or its id when {@code transactionId} says which message is meant
 * @param details the body of the request, when it is JSON and not long
 */
record Act(
        UUID id,
        OffsetDateTime at,
        String act,
        int status,
        String code,
        String subject,
        String address,
        String requestId,
        String queue,
        String partition,
        String consumerGroup,
        String transactionId,
        String details) {
    /** Nothing but printable ASCII, so that no name can break the line or pretend to be another. */
    private static final JsonFactory ASCII =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** One line of JSON, for the log. */
    String line() {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = ASCII.createGenerator(line)) {
            json.writeStartObject();
            text(json, "act", act);
            json.writeNumberField("status", status);
            text(json, "code", code);
            text(json, "subject", subject);
            text(json, "address", address);
            text(json, "requestId", requestId);
            text(json, "queue", queue);
            text(json, "partition", partition);
            text(json, "consumerGroup", consumerGroup);
            text(json, "transactionId", transactionId);
            text(json, "details", details);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString().replace("\u007f", "\\u007f");
    }

    private static void text(JsonGenerator json, String field, String value) throws IOException {
        if (value != null) {
            json.writeStringField(field, value);
        }
    }
}
