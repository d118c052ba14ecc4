package io.queen.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How query parameters are read: what is absent or empty has its default, numbers count as far as they are numbers. */
final class Parameters {
    private static final Pattern LEADING_NUMBER = Pattern.compile("\\s*([+-]?\\d{1,10}).*", Pattern.DOTALL);

    private Parameters() {}

    /** The value, null when absent or empty. */
    static String given(String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    /** A name of a queue, partition or group; null when absent or empty. */
    static String name(String value, String field) {
        return given(value) == null ? null : Text.name(value, field);
    }

    static boolean flag(String value) {
        return "true".equals(value) || "1".equals(value);
    }

    static long number(String value, long otherwise) {
        Matcher matcher = LEADING_NUMBER.matcher(value == null ? "" : value);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    static int between(int min, long value, int max) {
        return (int) Math.max(min, Math.min(value, max));
    }
}
