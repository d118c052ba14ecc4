package io.queen.tracing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The trace that a message belongs to, in its headers: {@code traceparent} and {@code tracestate}, as W3C defines them. */
final class TraceHeaders {
    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    private static final JsonFactory JSON = new JsonFactory();

    /** Of an HTTP request. */
    static final TextMapGetter<MultiMap> OF_REQUEST = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(MultiMap headers) {
            return headers.names();
        }

        @Override
        public String get(MultiMap headers, String name) {
            return headers.get(name);
        }
    };

    private static final TextMapGetter<Map<String, String>> OF_MESSAGE = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public String get(Map<String, String> headers, String name) {
            return headers.get(name);
        }
    };

    /** The members of a JSON object that tell of the span. */
    private final String members;

    TraceHeaders(SpanContext span) {
        Map<String, String> told = new TreeMap<>();
        W3CTraceContextPropagator.getInstance()
                .inject(Context.root().with(Span.wrap(span)), told, (map, name, value) -> map.put(name, value));
        members = told.entrySet().stream()
                .map(header -> '"' + header.getKey() + "\":\"" + escaped(header.getValue()) + '"')
                .collect(Collectors.joining(","));
    }

    private static String escaped(String value) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(value));
    }

    /** The headers, null for none, with the span; as they are when they tell of one, whether it makes sense or not. */
    String addTo(String headers) {
        if (headers == null) {
            return '{' + members + '}';
        }
        if (found(headers).containsKey(PARENT)) {
            return headers;
        }
        String rest = headers.substring(headers.indexOf('{') + 1);
        return '{' + members + (rest.strip().equals("}") ? "" : ",") + rest;
    }

    /** The span that the headers of a message tell of; one that is not valid when they tell of none. */
    static SpanContext read(String headers) {
        Map<String, String> found = found(headers);
        return found.isEmpty()
                ? SpanContext.getInvalid()
                : Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), found, OF_MESSAGE))
                        .getSpanContext();
    }

    private static Map<String, String> found(String headers) {
        if (headers == null || !headers.contains(PARENT)) {
            return Map.of();
        }
        Map<String, String> found = new HashMap<>();
        try (JsonParser json = JSON.createParser(headers)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value == JsonToken.VALUE_STRING && (name.equals(PARENT) || name.equals(STATE))) {
                    found.put(name, json.getText());
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
