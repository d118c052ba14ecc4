package io.queen.web;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as the protocol writes them: UTC, with a fixed number of digits so that text order is time order. */
public final class TimeFormat {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private TimeFormat() {}

    public static String millis(OffsetDateTime time) {
        return MILLIS.format(time.withOffsetSameInstant(ZoneOffset.UTC));
    }

    /** For {@code createdAt} of popped messages. */
    public static String micros(OffsetDateTime time) {
        return MICROS.format(time.withOffsetSameInstant(ZoneOffset.UTC));
    }
}
