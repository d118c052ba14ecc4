package io.queen.admin.trace;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.admin.trace.TraceStore.NewTrace;
import io.queen.message.Ack;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a trace event. */
final class TraceReader {
    private static final String DEFAULT_TYPE = "info";

    private String transactionId;
    private String partitionId;
    private String consumerGroup = Ack.QUEUE_MODE;
    private String eventType = DEFAULT_TYPE;
    private String data;
    private final List<String> names = new ArrayList<>();

    private TraceReader() {}

    static NewTrace read(byte[] bytes) {
        return JsonBody.read(bytes, body -> {
            TraceReader reader = new TraceReader();
            boolean object = body.current() == JsonToken.START_OBJECT;
            for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
                reader.field(body, name);
            }
            return reader.trace();
        });
    }

    private void field(JsonBody body, String name) throws IOException {
        switch (name) {
            case "transactionId" -> transactionId = body.isNull() ? null : body.name(name);
            case "partitionId" -> partitionId = body.isNull() ? null : body.string(name);
            case "consumerGroup" -> consumerGroup = body.isNull() ? Ack.QUEUE_MODE : body.name(name);
            case "eventType" -> eventType = body.isNull() ? DEFAULT_TYPE : body.name(name);
            case "data" -> data = body.isNull() ? null : body.raw(name);
            case "traceNames" -> names(body);
            default -> body.unknown("", name);
        }
    }

    private void names(JsonBody body) throws IOException {
        if (body.isNull()) {
            return;
        }
        if (body.current() != JsonToken.START_ARRAY) {
            names.add(body.name("traceNames"));
            return;
        }
        while (body.next() != JsonToken.END_ARRAY) {
            names.add(body.name("traceNames[" + names.size() + "]"));
        }
    }

    private NewTrace trace() {
        require(transactionId, "transactionId");
        require(partitionId, "partitionId");
        require(data, "data");
        return new NewTrace(
                FieldRules.uuid(partitionId, "partitionId"),
                transactionId,
                consumerGroup,
                eventType,
                data,
                List.copyOf(names));
    }

    private static void require(String value, String field) {
        if (value == null) {
            throw QueenException.missing(field);
        }
    }
}
