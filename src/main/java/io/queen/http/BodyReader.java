package io.queen.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Reads the body of a request as bytes, whatever its content type, and not more than allowed: a body in chunks does not
 * tell its length before ({@link Routes} refuses those that do).
 */
@Provider
final class BodyReader implements ServerMessageBodyReader<byte[]> {
    private final int limit;

    BodyReader(@ConfigProperty(name = "queen.http.max-body-size") MemorySize maxBodySize) {
        this.limit = (int) Math.min(maxBodySize.asLongValue(), Integer.MAX_VALUE - 16);
    }

    @Override
    public boolean isReadable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo method, MediaType mediaType) {
        return type == byte[].class;
    }

    @Override
    public byte[] readFrom(Class<byte[]> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        return read(context.getInputStream());
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == byte[].class;
    }

    @Override
    public byte[] readFrom(
            Class<byte[]> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream stream)
            throws IOException {
        return read(stream);
    }

    private byte[] read(InputStream stream) throws IOException {
        byte[] body = stream.readNBytes(limit + 1);
        if (body.length > limit) {
            throw new QueenException(ErrorCode.BODY_TOO_LARGE, "The body is larger than " + limit + " bytes");
        }
        return body;
    }
}
