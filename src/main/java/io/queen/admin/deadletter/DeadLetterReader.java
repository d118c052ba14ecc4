package io.queen.admin.deadletter;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import io.queen.web.RangeQuery;
import java.io.IOException;

/** What a redrive says in its body, under the names of the query; what the body gives counts. */
final class DeadLetterReader {
    private final DeadLetterQuery query;
    private final RangeQuery failed;
    private final RedriveQuery how;
    private final DryRunQuery dry;

    private DeadLetterReader(DeadLetterQuery query, RangeQuery failed, RedriveQuery how, DryRunQuery dry) {
        this.query = query;
        this.failed = failed;
        this.how = how;
        this.dry = dry;
    }

    /** Puts what the body gives into the query; a body that is absent or empty gives nothing. */
    static void read(byte[] bytes, DeadLetterQuery query, RangeQuery failed, RedriveQuery how, DryRunQuery dry) {
        if (bytes != null && bytes.length > 0) {
            JsonBody.read(bytes, new DeadLetterReader(query, failed, how, dry)::object);
        }
    }

    private Void object(JsonBody body) throws IOException {
        if (body.isEmptyArray()) {
            return null;
        }
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.invalid("body", "must be an object");
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            field(body, name);
        }
        return null;
    }

    private void field(JsonBody body, String name) throws IOException {
        switch (name) {
            case "queue" -> query.queue = text(body, name, query.queue);
            case "partition" -> query.partition = text(body, name, query.partition);
            case "consumerGroup" -> query.consumerGroup = text(body, name, query.consumerGroup);
            case "from" -> failed.from = text(body, name, failed.from);
            case "to" -> failed.to = text(body, name, failed.to);
            case "error" -> query.error = text(body, name, query.error);
            case "allGroups" -> how.allGroups = flag(body, name, how.allGroups);
            case "dryRun" -> dry.dryRun = flag(body, name, dry.dryRun);
            default -> body.unknown("", name);
        }
    }

    private static String flag(JsonBody body, String name, String otherwise) throws IOException {
        return body.isNull() ? otherwise : String.valueOf(FieldRules.bool(body.scalar(), name));
    }

    private static String text(JsonBody body, String name, String otherwise) throws IOException {
        return body.isNull() ? otherwise : body.string(name);
    }
}
