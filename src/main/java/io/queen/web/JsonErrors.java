package io.queen.web;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.queen.message.QueenException;

/** What a client is told of a body that is not JSON: what is wrong, at which byte, and in which field. */
final class JsonErrors {
    private static final int LONGEST_FIELD = 100;

    private JsonErrors() {}

    static QueenException of(JsonProcessingException failure, JsonParser parser) {
        String place = failure.getLocation() == null
                ? ""
                : " at byte " + failure.getLocation().getByteOffset();
        String field = field(parser.getParsingContext());
        if (failure instanceof StreamConstraintsException) {
            // Depth is all that is constrained. The parser would name its classes, and the field is a thousand
            // brackets.
            return QueenException.invalidJson(
                    "it is nested deeper than " + JsonBody.MAX_DEPTH + " levels" + place,
                    field.substring(0, Math.min(field.length(), LONGEST_FIELD)));
        }
        return QueenException.invalidJson(failure.getOriginalMessage() + place, field);
    }

    /** Where the parser stands, as fields are named in errors: {@code items[3].payload}. Null at the top. */
    private static String field(JsonStreamContext context) {
        if (context == null || context.inRoot()) {
            return null;
        }
        String outer = field(context.getParent());
        if (context.inArray()) {
            return (outer == null ? "" : outer) + "[" + Math.max(context.getCurrentIndex(), 0) + "]";
        }
        String name = context.getCurrentName() == null ? "" : context.getCurrentName();
        return outer == null || name.isEmpty() ? name + (outer == null ? "" : outer) : outer + "." + name;
    }
}
