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
 * @param dryRun whether the caller only wants to know what would happen
 */
record Seek(To to, OffsetDateTime time, boolean dryRun) {

    /** The kinds of places. */
    enum To {
        END,
        BEGINNING,
        TIME
    }

    static Seek required(byte[] body) {
        Seek seek = JsonBody.read(body, Seek::read);
        if (seek.to == null) {
            throw new QueenException(ErrorCode.MISSING_FIELD, "toEnd, toBeginning or timestamp is required");
        }
        return seek;
    }

    /** To the end when the body does not say. */
    static Seek optional(byte[] body) {
        Seek seek = body == null || body.length == 0 ? nowhere(false) : JsonBody.read(body, Seek::read);
        return seek.to == null ? new Seek(To.END, null, seek.dryRun) : seek;
    }

    /** Of a body that does not say. */
    private static Seek nowhere(boolean dryRun) {
        return new Seek(null, null, dryRun);
    }

    private static Seek read(JsonBody body) throws IOException {
        boolean toEnd = false;
        boolean toBeginning = false;
        boolean dryRun = false;
        OffsetDateTime time = null;
        if (body.current() != JsonToken.START_OBJECT) {
            return notAnObject(body);
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "toEnd" -> toEnd = flag(body, name);
                case "toBeginning" -> toBeginning = flag(body, name);
                case "dryRun" -> dryRun = flag(body, name);
                case "timestamp" -> time = body.isNull() ? null : TimeParser.parse(body.string(name), name);
                default -> body.unknown("", name);
            }
        }
        if (toEnd || toBeginning) {
            return new Seek(toEnd ? To.END : To.BEGINNING, null, dryRun);
        }
        return time == null ? nowhere(dryRun) : new Seek(To.TIME, time, dryRun);
    }

    private static boolean flag(JsonBody body, String name) throws IOException {
        return !body.isNull() && FieldRules.bool(body.scalar(), name);
    }

    private static Seek notAnObject(JsonBody body) throws IOException {
        if (body.isEmptyArray()) {
            return nowhere(false);
        }
        throw QueenException.invalid("body", "must be an object");
    }
}
