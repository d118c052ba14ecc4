package io.queen.admin.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What an act was about, from what the request said, right or wrong: a parameter of the path, else a field of the body,
 * else a parameter of the query, as the resources read them. Of the body only the fields that are asked for are kept: one
 * of a million others costs no memory.
 */
final class ActObject {
    /** Longer bodies say what the act was about, but are not kept. */
    private static final int MAX_DETAILS = 4096;

    private static final int MAX_TEXT = 255;
    private static final JsonFactory JSON = new JsonFactory();

    private final Set<String> names;
    private final UnaryOperator<String> path;
    private final UnaryOperator<String> query;
    private final Map<String, String> fields = new HashMap<>();
    private String details;

    /** The names are those that can be asked for. The operators give the value of a parameter by its name, null for none. */
    ActObject(Set<String> names, UnaryOperator<String> path, UnaryOperator<String> query, byte[] body) {
        this.names = names;
        this.path = path;
        this.query = query;
        try {
            boolean payload = read(body);
            boolean kept = body.length > 0 && body.length <= MAX_DETAILS && !payload;
            details = kept ? new String(body, StandardCharsets.UTF_8) : null;
        } catch (IOException e) {
            // The caller was told that it is not JSON; the fields before that place count.
            details = null;
        }
    }

    /** The texts of the outermost object. True when it has the payload of a message: those stay out of the log. */
    private boolean read(byte[] body) throws IOException {
        boolean payload = false;
        try (JsonParser parser = JSON.createParser(body)) {
            boolean object = parser.nextToken() == JsonToken.START_OBJECT;
            while (object && parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                payload |= name.equals("payload");
                if (parser.nextToken() == JsonToken.VALUE_STRING && names.contains(name)) {
                    fields.put(name, parser.getText());
                }
                parser.skipChildren();
            }
            while (parser.nextToken() != null) {
                parser.skipChildren();
            }
        }
        return payload;
    }

    String text(String... ofThese) {
        for (String name : ofThese) {
            String found = Optional.ofNullable(path.apply(name))
                    .or(() -> Optional.ofNullable(fields.get(name)))
                    .orElseGet(() -> query.apply(name));
            if (found != null) {
                return clean(found);
            }
        }
        return null;
    }

    /** The body; before it the name of a stream or schedule, which has no column of its own. */
    String details() {
        String body = details == null ? null : storable(details);
        String name = clean(path.apply("name"));
        if (name == null || body == null) {
            return name == null ? body : name;
        }
        return name + " " + body;
    }

    /** A text of a caller as it is kept: cut, and such that PostgreSQL can hold it. */
    static String clean(String text) {
        if (text == null) {
            return null;
        }
        return storable(text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT));
    }

    /** Through UTF-8 halves of surrogate pairs become question marks. */
    private static String storable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '?');
    }
}
