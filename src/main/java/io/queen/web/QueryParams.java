package io.queen.web;

import io.queen.message.QueenException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How query parameters are read: what is absent or empty has its default, what does not parse is refused. That their
 * texts are some that PostgreSQL can hold was checked before, for all of them ({@link ApiRoutes}).
 */
public final class QueryParams {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

    private QueryParams() {}

    /** The value, null when absent or empty. */
    public static String given(String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    /** A name of a queue, partition or group; null when absent or empty. */
    public static String name(String value, String field) {
        return given(value) == null ? null : FieldRules.name(value, field);
    }

    /** A yes or no, {@code otherwise} when absent or empty. */
    public static boolean flag(String value, String field, boolean otherwise) {
        if (given(value) == null) {
            return otherwise;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw QueenException.invalid(field, "must be true or false");
        };
    }

    /** A whole number, {@code otherwise} when absent or empty; one that is too long for a long is the nearest to it. */
    public static long number(String value, String field, long otherwise) {
        if (given(value) == null) {
            return otherwise;
        }
        String text = value.trim();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            if (!WHOLE_NUMBER.matcher(text).matches()) {
                throw QueenException.invalid(field, "must be a whole number");
            }
            return text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static int between(int min, long value, int max) {
        return (int) Math.max(min, Math.min(value, max));
    }
}
