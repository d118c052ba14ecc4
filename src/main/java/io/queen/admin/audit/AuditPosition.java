package io.queen.admin.audit;

import io.queen.message.QueenException;
import io.queen.web.QueryParams;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last act of a page, {@code microseconds:id}: the next page begins after it, whatever was added since. */
record AuditPosition(OffsetDateTime at, UUID id) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,16}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    /** Null when absent or empty: from the newest. */
    static AuditPosition read(String text) {
        if (QueryParams.given(text) == null) {
            return null;
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw QueenException.invalid("after", "must be what an answer before gave as next");
        }
        Instant at = Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS);
        return new AuditPosition(at.atOffset(ZoneOffset.UTC), UUID.fromString(parts.group(2)));
    }
}
