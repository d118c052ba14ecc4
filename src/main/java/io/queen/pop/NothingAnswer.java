package io.queen.pop;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.ErrorCode;
import io.queen.message.PopResult;
import io.queen.web.JsonAnswer;
import java.io.IOException;
import org.jboss.resteasy.reactive.RestResponse;

/** The answer of a pop that got nothing, and why. It is not an error: consumers of some clients stop for good at one. */
final class NothingAnswer {
    private NothingAnswer() {}

    static RestResponse<byte[]> of(PopResult.Absence why, PopResult result) {
        return switch (why) {
            case PAUSED -> JsonAnswer.of(200, NothingAnswer::writePaused);
            case NO_DATABASE ->
                JsonAnswer.of(200, json -> write(json, "PostgreSQL can't be reached", ErrorCode.DATABASE_UNAVAILABLE));
            // There are messages, but none that this server's key opens; they wait.
            case UNREADABLE ->
                JsonAnswer.of(200, json -> write(json, result.unreadable(), ErrorCode.PAYLOAD_UNREADABLE));
            case NOTHING_THERE -> RestResponse.noContent();
        };
    }

    /** While pops are held back. */
    private static void writePaused(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("success", true);
        json.writeBooleanField("paused", true);
        json.writeNullField("partitionId");
        json.writeNullField("leaseId");
        writeNoMessages(json);
    }

    private static void write(JsonGenerator json, String error, ErrorCode code) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("success", false);
        json.writeStringField("error", error);
        json.writeStringField("code", code.name());
        writeNoMessages(json);
    }

    private static void writeNoMessages(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("messages");
        json.writeEndArray();
        json.writeEndObject();
    }
}
