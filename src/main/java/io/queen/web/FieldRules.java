package io.queen.web;

import io.queen.message.QueenException;
import java.util.UUID;
import java.util.regex.Pattern;

/** What texts of a request may be. */
public final class FieldRules {
    private static final int MAX_NAME = 255;
    /** {@link UUID#fromString} takes shorter groups than PostgreSQL would give back. */
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private FieldRules() {}

    /** The text, refused when PostgreSQL could not hold it: NUL, and halves of surrogate pairs. */
    static String checked(String text, String field) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw QueenException.invalid(field, "must not contain the character U+0000");
            }
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw QueenException.invalid(field, "must not contain half of a surrogate pair");
                }
                i++;
            }
        }
        return text;
    }

    /** Whether PostgreSQL can hold the text. */
    public static boolean canBeStored(String text) {
        try {
            checked(text, "");
            return true;
        } catch (QueenException e) {
            return false;
        }
    }

    /** A name of a queue, partition or group, or a transaction id. */
    public static String name(String text, String field) {
        if (text.length() > MAX_NAME) {
            throw QueenException.invalid(field, "must have at most " + MAX_NAME + " characters");
        }
        return checked(text, field);
    }

    public static boolean isUuid(String text) {
        return text.length() == 36 && UUID_FORM.matcher(text).matches();
    }

    public static UUID uuid(String text, String field) {
        if (!isUuid(text)) {
            throw QueenException.invalid(field, "must be a UUID");
        }
        return UUID.fromString(text);
    }

    /** The text of a whole number between the bounds. */
    public static int integer(String text, String field, int min, int max) {
        try {
            int value = Integer.parseInt(text == null ? "" : text.trim());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of bounds
        }
        throw QueenException.invalid(field, "must be a whole number from " + min + " to " + max);
    }

    /** The text of true or false. */
    public static boolean bool(String text, String field) {
        if (!"true".equals(text) && !"false".equals(text)) {
            throw QueenException.invalid(field, "must be true or false");
        }
        return text.equals("true");
    }
}
