package io.queen.stream;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * Which state is asked for.
 *
 * @param keys only these, null for all
 * @param prefix only keys that begin so, empty for all
 * @param ripe only windows that end at this time, in milliseconds, or before; null for all
 */
record StateQuery(UUID queryId, UUID partitionId, String[] keys, String prefix, Double ripe) {
    /** A key stands in an index, which has its limits. */
    private static final int MAX_KEY_BYTES = 2000;

    static StateQuery read(byte[] bytes) {
        return JsonBody.read(bytes, StateQuery::read);
    }

    private static StateQuery read(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("query_id");
        }
        UUID queryId = null;
        UUID partitionId = null;
        List<String> keys = List.of();
        String prefix = "";
        Double ripe = null;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "query_id" -> queryId = FieldRules.uuid(body.string(name), name);
                case "partition_id" -> partitionId = FieldRules.uuid(body.string(name), name);
                case "keys" -> keys = body.isNull() ? List.of() : body.list(name, body::string);
                case "key_prefix" -> prefix = body.isNull() ? "" : body.string(name);
                case "ripe_at_or_before" -> ripe = body.isNull() ? null : number(body, name);
                default -> body.unknown("", name);
            }
        }
        if (queryId == null || partitionId == null) {
            throw QueenException.missing(queryId == null ? "query_id" : "partition_id");
        }
        return new StateQuery(queryId, partitionId, keys.isEmpty() ? null : keys.toArray(String[]::new), prefix, ripe);
    }

    private static double number(JsonBody body, String field) throws IOException {
        if (!body.current().isNumeric()) {
            throw QueenException.invalid(field, "must be a number");
        }
        return Double.parseDouble(body.scalar());
    }

    /** The key, refused when it is too long. */
    static String key(String text, String field) {
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
            throw QueenException.invalid(field, "must have at most " + MAX_KEY_BYTES + " bytes");
        }
        return text;
    }
}
