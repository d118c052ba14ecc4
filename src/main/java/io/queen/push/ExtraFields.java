package io.queen.push;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import io.queen.web.TimeParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;

/**
 * The fields that few items have: {@code headers}, and {@code delaySeconds} or {@code deliverAt}. A delay becomes a time
 * as soon as it is read, because the item may lie in the file buffer for hours before it is stored.
 */
public final class ExtraFields {
    static final int MAX_HEADERS = 32;
    static final int MAX_NAME = 128;
    static final int MAX_VALUE = 1024;
    static final int MAX_BYTES = 8192;
    static final long MAX_DELAY_SECONDS = 10L * 365 * 24 * 60 * 60;

    private final JsonBody body;
    private String headers;
    private OffsetDateTime deliverAt;
    /** Which of the two fields has said when. */
    private String said;

    ExtraFields(JsonBody body) {
        this.body = body;
    }

    /** The headers at the current token, of what is not an item: a JSON object of strings, null for none. */
    public static String headers(JsonBody body, String field) throws IOException {
        return new ExtraFields(body).object(field);
    }

    /** Forgets the item before. */
    void start() {
        headers = null;
        deliverAt = null;
        said = null;
    }

    /** A JSON object of strings; null for none. */
    String headers() {
        return headers;
    }

    /** Null for at once. */
    OffsetDateTime deliverAt() {
        return deliverAt;
    }

    /** Takes the field at the current token, if it is one of these. */
    boolean field(String name, String place) throws IOException {
        switch (name) {
            case "headers" -> headers = body.isNull() ? null : object(place + ".headers");
            case "delaySeconds", "deliverAt" -> {
                if (!body.isNull()) {
                    deliverAt = time(name, place);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private OffsetDateTime time(String name, String place) throws IOException {
        String field = place + "." + name;
        if (said != null && !said.equals(name)) {
            throw QueenException.invalid(field, "must not be given together with " + said);
        }
        said = name;
        return name.equals("deliverAt") ? at(field) : after(field);
    }

    private OffsetDateTime at(String field) throws IOException {
        OffsetDateTime time = TimeParser.parse(body.string(field), field);
        if (time.isAfter(now().plusSeconds(MAX_DELAY_SECONDS))) {
            throw QueenException.invalid(field, "must be at most " + MAX_DELAY_SECONDS + " seconds from now");
        }
        return time;
    }

    private OffsetDateTime after(String field) throws IOException {
        boolean number = body.current().isNumeric();
        double seconds = number ? Double.parseDouble(body.scalar()) : -1;
        if (!(seconds >= 0 && seconds <= MAX_DELAY_SECONDS)) {
            body.skip();
            throw QueenException.invalid(field, "must be a number of seconds from 0 to " + MAX_DELAY_SECONDS);
        }
        return seconds == 0 ? null : now().plus(Math.round(seconds * 1e6), ChronoUnit.MICROS);
    }

    private static OffsetDateTime now() {
        return OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    /** The headers written anew, without the space and the repeated names that a client may send. */
    private String object(String field) throws IOException {
        if (body.isEmptyArray()) {
            return null;
        }
        if (body.current() != JsonToken.START_OBJECT) {
            body.skip();
            throw QueenException.invalid(field, "must be an object of strings");
        }
        Set<String> names = new HashSet<>();
        StringBuilder json = new StringBuilder();
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            check(names, name, field);
            json.append(json.isEmpty() ? "{\"" : ",\"");
            quote(name, json);
            json.append("\":\"");
            quote(value(field + "." + name), json);
            json.append('"');
        }
        String text = json.isEmpty() ? null : json.append('}').toString();
        if (text != null && text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw QueenException.invalid(field, "must have at most " + MAX_BYTES + " bytes in all");
        }
        return text;
    }

    private static void check(Set<String> names, String name, String field) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw QueenException.invalid(field, "must have names of 1 to " + MAX_NAME + " characters");
        }
        if (!names.add(FieldRules.name(name, field))) {
            throw QueenException.invalid(field + "." + name, "must not be given twice");
        }
        if (names.size() > MAX_HEADERS) {
            throw QueenException.invalid(field, "must have at most " + MAX_HEADERS + " names");
        }
    }

    private String value(String field) throws IOException {
        String value = body.string(field);
        if (value.length() > MAX_VALUE) {
            throw QueenException.invalid(field, "must have at most " + MAX_VALUE + " characters");
        }
        return value;
    }

    private static void quote(String text, StringBuilder json) {
        JsonStringEncoder.getInstance().quoteAsString(text, json);
    }
}
