package io.queen.web;

import io.queen.message.QueenException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Points in time as clients send them: RFC 3339, a date, without an offset (then UTC), or some time ago. */
public final class TimeParser {
    private static final Pattern AGO = Pattern.compile("(\\d{1,9})\\s*([smhd])(\\s+ago)?");
    private static final int LAST_YEAR = 9999;
    private static final int SHOWN = 64;

    private TimeParser() {}

    public static OffsetDateTime parse(String text, String field) {
        String trimmed = text.trim();
        Matcher ago = AGO.matcher(trimmed);
        if (ago.matches()) {
            Duration back = duration(Long.parseLong(ago.group(1)), ago.group(2));
            return kept(OffsetDateTime.now(ZoneOffset.UTC).minus(back), text, field);
        }
        // A plus sign in a query that was not escaped arrives as a space.
        String iso = trimmed.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) (\\d)", "$1T$2")
                .replaceFirst(" (\\d{2}(:?\\d{2})?)$", "+$1");
        try {
            return kept(date(iso), text, field);
        } catch (DateTimeException e) {
            throw refused(text, field);
        }
    }

    /** PostgreSQL reaches neither as far back nor as far ahead as Java; four digits of a year are enough for all. */
    private static OffsetDateTime kept(OffsetDateTime time, String text, String field) {
        if (time.getYear() < 1 || time.getYear() > LAST_YEAR) {
            throw refused(text, field);
        }
        return time;
    }

    private static QueenException refused(String text, String field) {
        return QueenException.invalid(
                field,
                "must be a time such as 2025-12-01T08:00:00Z, a date, now, or 5m ago; it is \"" + shown(text) + "\"");
    }

    private static String shown(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    private static OffsetDateTime date(String iso) {
        if (iso.length() == 10) {
            return LocalDate.parse(iso).atStartOfDay().atOffset(ZoneOffset.UTC);
        }
        boolean offset = iso.endsWith("Z") || iso.endsWith("z") || iso.matches(".*T.*[+-]\\d{2}(:?\\d{2})?$");
        if (!offset) {
            return LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC);
        }
        return OffsetDateTime.parse(
                iso.replaceFirst("([+-]\\d{2})(\\d{2})$", "$1:$2").replaceFirst("([+-]\\d{2})$", "$1:00"));
    }

    private static Duration duration(long amount, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
