package io.queen.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Finds when a window ends: the number {@code windowEnd} of a value, which is JSON that was checked before. */
final class WindowEnd {
    private static final String NAME = "windowEnd";
    /** A number of more digits is not one of milliseconds. */
    private static final int MAX_DIGITS = 400;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private WindowEnd() {}

    /** Null when the value is no object, or has no such number. */
    static Double of(String value) {
        // A name may be written with escapes.
        if (value.charAt(0) != '{' || (value.indexOf(NAME) < 0 && value.indexOf("\\u") < 0)) {
            return null;
        }
        try (JsonParser parser = FACTORY.createParser(value)) {
            return find(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a name that comes twice the last counts, as for most readers of JSON. */
    private static Double find(JsonParser parser) throws IOException {
        Double end = null;
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean ours = parser.currentName().equals(NAME);
            JsonToken token = parser.nextToken();
            if (ours) {
                end = token.isNumeric() && parser.getTextLength() <= MAX_DIGITS ? parser.getDoubleValue() : null;
            }
            parser.skipChildren();
        }
        return end;
    }
}
