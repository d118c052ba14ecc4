package io.queen.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A collector of OpenTelemetry that is spoken to over HTTP and keeps what it is sent. */
final class Collector implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<Resource> resources = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();

    Collector(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
        for (ResourceSpans ofResource : request.getResourceSpansList()) {
            resources.add(ofResource.getResource());
            for (ScopeSpans ofScope : ofResource.getScopeSpansList()) {
                spans.addAll(ofScope.getSpansList());
            }
        }
        keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("api-key")));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** The one span that is as described, as soon as it has come. */
    Span one(Predicate<Span> described) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(all(described)).as(spans.toString()).hasSize(1));
        return all(described).get(0);
    }

    Span one(String name) {
        return one(span -> span.getName().equals(name));
    }

    List<Span> all(Predicate<Span> described) {
        return spans.stream().filter(described).toList();
    }

    /** What the spans are said to come from. */
    Map<String, String> resource() {
        return attributes(resources.get(0).getAttributesList());
    }

    /** The header {@code api-key} of each request. */
    List<String> keys() {
        return keys;
    }

    static Map<String, String> attributes(Span span) {
        return attributes(span.getAttributesList());
    }

    private static Map<String, String> attributes(List<KeyValue> list) {
        return list.stream().collect(Collectors.toMap(KeyValue::getKey, one -> text(one.getValue())));
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
