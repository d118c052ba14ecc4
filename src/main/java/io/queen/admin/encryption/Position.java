package io.queen.admin.encryption;

import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a walk over a queue has come to, for a caller that goes on later: {@code 1234:partition}. */
record Position(String partition, long seq) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18}|" + Long.MAX_VALUE + "):(.*)", Pattern.DOTALL);

    /** Null when absent or empty: from the beginning. */
    static Position read(String text) {
        if (QueryParams.given(text) == null) {
            return null;
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw QueenException.invalid("after", "must be what an answer before gave as next");
        }
        return new Position(FieldRules.name(parts.group(2), "after"), Long.parseLong(parts.group(1)));
    }

    @Override
    public String toString() {
        return seq + ":" + partition;
    }
}
