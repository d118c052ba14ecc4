package io.queen.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a request body as a stream of tokens: every byte is looked at once, and nothing becomes a tree. What a client may
 * put there freely (a payload) is checked on the way and handed out as the text it was.
 *
 * <p>PostgreSQL's text holds neither broken UTF-8 nor NUL: both are refused here, by field.
 */
public final class JsonBody implements AutoCloseable {
    /** Depth beyond which JSON is refused; sizes are limited by the body limit alone. */
    static final int MAX_DEPTH = 1000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final byte[] bytes;
    private final JsonParser parser;
    private UnknownNames.Found unknown;
    private String lastUnknown;

    /** What a body holds. */
    public interface Content<T> {
        T read(JsonBody body) throws IOException;
    }

    /** One of a list, at its first token. */
    public interface Item<T> {
        T read(String place) throws IOException;
    }

    private JsonBody(byte[] bytes) throws IOException {
        this.bytes = bytes;
        this.parser = FACTORY.createParser(bytes);
        // A parser that found UTF-16 or UTF-32 reads through a decoder, and has no places in bytes to offer.
        if (parser.getInputSource() != null) {
            throw QueenException.invalidJson("the body is not UTF-8", null);
        }
    }

    /** The whole body, read by {@code content} from its first token on; what is not JSON is told as such. */
    public static <T> T read(byte[] bytes, Content<T> content) {
        if (bytes == null || bytes.length == 0) {
            throw new QueenException(ErrorCode.EMPTY_BODY, "A JSON body is required");
        }
        try (JsonBody body = new JsonBody(bytes)) {
            try {
                return body.read(content);
            } finally {
                UnknownNames.tell(body.unknown);
            }
        } catch (IOException e) {
            // The bytes are at hand, so it is about them: they look like an encoding that JSON does not have.
            throw QueenException.invalidJson("the body is not UTF-8", null);
        }
    }

    private <T> T read(Content<T> content) throws IOException {
        try {
            parser.nextToken();
            T value = content.read(this);
            if (parser.nextToken() != null) {
                throw QueenException.invalidJson("there is more after the end of the body", null);
            }
            return value;
        } catch (JsonProcessingException e) {
            throw JsonErrors.of(e, parser);
        }
    }

    public JsonToken next() throws IOException {
        return parser.nextToken();
    }

    public JsonToken current() {
        return parser.currentToken();
    }

    /** Steps to the next field of the current object and to its value; null at the end of the object. */
    public String nextField() throws IOException {
        if (parser.nextToken() != JsonToken.FIELD_NAME) {
            return null;
        }
        String name = parser.currentName();
        parser.nextToken();
        return name;
    }

    /** What is read of each item of the current value, which must be an array; {@code item} gets its place: items[3]. */
    public <T> List<T> list(String field, Item<T> item) throws IOException {
        if (current() != JsonToken.START_ARRAY) {
            throw QueenException.invalid(field, "must be an array");
        }
        List<T> all = new ArrayList<>();
        while (next() != JsonToken.END_ARRAY) {
            all.add(item.read(field + "[" + all.size() + "]"));
        }
        return all;
    }

    /** Passes over the current value. */
    public void skip() throws IOException {
        parser.skipChildren();
    }

    /**
     * Passes over the current value, whose name is not known: it is refused, or told to the client.
     *
     * @param place what stands before the name: {@code items[3].}
     */
    public void unknown(String place, String name) throws IOException {
        // A list has the same one again and again.
        if (!name.equals(lastUnknown)) {
            unknown = UnknownNames.add(unknown, place, name);
            lastUnknown = name;
        }
        skip();
    }

    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** PHP sends an empty array where others send an empty object. */
    public boolean isEmptyArray() throws IOException {
        return parser.currentToken() == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.END_ARRAY;
    }

    /** The current value, which must be a string. */
    public String string(String field) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            skip();
            throw QueenException.invalid(field, "must be a string");
        }
        return FieldRules.checked(parser.getText(), field);
    }

    /** As {@link #string}, of at most 255 characters. */
    public String name(String field) throws IOException {
        return FieldRules.name(string(field), field);
    }

    /** The text of the current value; null when it is null, a list or an object. */
    public String scalar() throws IOException {
        return parser.currentToken().isScalarValue() && !isNull() ? parser.getText() : null;
    }

    /** The JSON text of the current value, exactly as it was sent. */
    public String raw(String field) throws IOException {
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        skip();
        parser.finishToken();
        int end = Math.toIntExact(parser.currentLocation().getByteOffset());
        return decode(start, end - start, field);
    }

    private String decode(int start, int length, String field) {
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        // What stands there for bytes that are no UTF-8; but a client may have sent it as well.
        if (text.indexOf('\uFFFD') >= 0) {
            byte[] again = text.getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(again, 0, again.length, bytes, start, start + length)) {
                throw QueenException.invalid(field, "is not valid UTF-8");
            }
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
