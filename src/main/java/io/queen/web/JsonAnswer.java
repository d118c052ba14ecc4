package io.queen.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** Writes an answer straight into bytes: no tree, no reflection. */
public final class JsonAnswer {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int FIRST_BLOCK = 512;
    private static final int OK = 200;

    private JsonAnswer() {}

    /** What an answer holds. */
    public interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    public static RestResponse<byte[]> of(int status, Content content) {
        return ResponseBuilder.<byte[]>create(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(bytes(content))
                .build();
    }

    /** JSON text as PostgreSQL wrote it. */
    public static RestResponse<byte[]> of(String text) {
        return ResponseBuilder.<byte[]>create(OK)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(text.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    public static byte[] bytes(Content content) {
        ByteArrayBuilder out = new ByteArrayBuilder(FIRST_BLOCK);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            content.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
