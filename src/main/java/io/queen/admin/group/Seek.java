package io.queen.admin.group;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import io.queen.web.TimeParser;
import java.io.IOException;
import java.time.OffsetDateTime;

/**
 * Where the cursors of a group go. In a body {@code toEnd} wins over {@code toBeginning}, both win over
 * {@code timestamp}.
 *
 * @param time for {@code TIME}: after the last message that is not younger
 */
record Seek(To to, OffsetDateTime time) {
    private static final Seek TO_END = new Seek(To.END, null);

    /** The kinds of places. */
    enum To {
        END,
        BEGINNING,
        TIME
    }

    static Seek required(byte[] body) {
        Seek seek = JsonBody.read(body, Seek::read);
        if (seek == null) {
            throw new QueenException(ErrorCode.MISSING_FIELD, "toEnd, toBeginning or timestamp is required");
        }
        return seek;
    }

    /** To the end when the body does not say. */
    static Seek optional(byte[] body) {
        Seek seek = body == null || body.length == 0 ? null : JsonBody.read(body, Seek::read);
        return seek == null ? TO_END : seek;
    }

    private static Seek read(JsonBody body) throws IOException {
        boolean toEnd = false;
        boolean toBeginning = false;
        OffsetDateTime time = null;
        if (body.current() != JsonToken.START_OBJECT) {
            return notAnObject(body);
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "toEnd" -> toEnd = !body.isNull() && FieldRules.bool(body.scalar(), "toEnd");
                case "toBeginning" -> toBeginning = !body.isNull() && FieldRules.bool(body.scalar(), "toBeginning");
                case "timestamp" -> time = body.isNull() ? null : TimeParser.parse(body.string(name), name);
                default -> body.unknown("", name);
            }
        }
        if (toEnd) {
            return TO_END;
        }
        return toBeginning ? new Seek(To.BEGINNING, null) : time == null ? null : new Seek(To.TIME, time);
    }

    private static Seek notAnObject(JsonBody body) throws IOException {
        if (body.isEmptyArray()) {
            return null;
        }
        throw QueenException.invalid("body", "must be an object");
    }
}
