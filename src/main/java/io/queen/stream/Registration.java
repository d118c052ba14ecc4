package io.queen.stream;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;

/**
 * A query to register.
 *
 * @param sinkQueue null for none
 * @param reset whether its state is to go when the hash is another one
 * @param retentionSeconds how long keys stay that no cycle writes, 0 for ever; null to leave it as it is
 */
record Registration(
        String name, String sourceQueue, String sinkQueue, String configHash, boolean reset, Integer retentionSeconds) {

    static Registration read(byte[] bytes) {
        return JsonBody.read(bytes, Registration::read);
    }

    private static Registration read(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("name");
        }
        String name = null;
        String source = null;
        String sink = null;
        String hash = null;
        boolean reset = false;
        Integer retention = null;
        for (String field = body.nextField(); field != null; field = body.nextField()) {
            switch (field) {
                case "name" -> name = body.name(field);
                case "source_queue" -> source = body.name(field);
                case "sink_queue" -> sink = body.isNull() ? null : body.name(field);
                case "config_hash" -> hash = body.name(field);
                case "reset" -> reset = !body.isNull() && FieldRules.bool(body.scalar(), field);
                case "state_retention_seconds" -> retention = body.isNull() ? null : seconds(body, field);
                default -> body.unknown("", field);
            }
        }
        required(name, "name");
        required(source, "source_queue");
        required(hash, "config_hash");
        return new Registration(name, source, sink == null || sink.isEmpty() ? null : sink, hash, reset, retention);
    }

    /** Seconds that state is kept. */
    static int seconds(JsonBody body, String field) throws IOException {
        return FieldRules.integer(body.scalar(), field, 0, Integer.MAX_VALUE);
    }

    private static void required(String text, String field) {
        if (text == null) {
            throw QueenException.missing(field);
        }
        if (text.isEmpty()) {
            throw QueenException.invalid(field, "must not be empty");
        }
    }
}
