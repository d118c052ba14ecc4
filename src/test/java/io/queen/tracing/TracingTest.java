package io.queen.tracing;

import static io.queen.testing.Client.item;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Ports;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a collector gets to see of messages on their way. */
@QuarkusTest
@TestProfile(TracingTest.Traced.class)
class TracingTest {
    private static final String PORT = "test.collector.port";
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    private static Collector collector;

    private final String queue = Partitions.name("traced");

    /** Requests that come at the same time meet in one batch. */
    public static final class Traced implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "queen.tracing.endpoint", "http://127.0.0.1:" + port(),
                    "queen.tracing.protocol", "http/protobuf",
                    "queen.tracing.headers", "api-key=secret",
                    "queen.tracing.service-name", "orders-queen",
                    "queen.tracing.resource-attributes", "deployment.environment.name=test",
                    "quarkus.otel.bsp.schedule.delay", "20ms",
                    "queen.http.workers", "1",
                    "queen.sidecar.eager", "false",
                    "queen.sidecar.micro-batch-wait-ms", "100");
        }

        /** Known to the test too, which another class loader loads. */
        private static String port() {
            if (System.getProperty(PORT) == null) {
                try {
                    System.setProperty(PORT, Integer.toString(Ports.free()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return System.getProperty(PORT);
        }
    }

    @BeforeAll
    static void collect() throws IOException {
        collector = new Collector(Integer.getInteger(PORT));
    }

    @AfterAll
    static void stop() {
        collector.close();
    }

    @Test
    void push_ofACallerThatIsTraced_continuesItsTrace() {
        push(traced("01"), item(queue, "p", "t1", "{\"secret\":1}"));

        Span span = collector.one("push " + queue);
        assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
        assertThat(hex(span.getParentSpanId())).isEqualTo(CALLER);
        assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_PRODUCER);
        assertThat(span.getLinksList()).isEmpty();
        assertThat(Collector.attributes(span))
                .containsEntry("messaging.system", "queen")
                .containsEntry("messaging.operation.name", "push")
                .containsEntry("messaging.operation.type", "send")
                .containsEntry("messaging.destination.name", queue)
                .containsEntry("messaging.destination.partition.id", "p")
                .containsEntry("messaging.batch.message_count", "1")
                .containsEntry("queen.transaction_id", "t1")
                .containsKey("messaging.message.id");
        assertThat(span.toString()).doesNotContain("secret");
        assertThat(collector.resource())
                .containsEntry("service.name", "orders-queen")
                .containsEntry("deployment.environment.name", "test");
        assertThat(collector.keys()).containsOnly("secret");
    }

    @Test
    void push_ofACallerThatIsNot_beginsATrace() {
        push(given(), item(queue, "p", "t1", "1"));

        Span span = collector.one("push " + queue);
        assertThat(span.getParentSpanId()).isEqualTo(ByteString.EMPTY);
        assertThat(hex(span.getTraceId())).isNotEqualTo(TRACE);
    }

    @Test
    void call_ofTheDatabase_isPartOfTheTrace() {
        push(given(), item(queue, "p", "t1", "1"));

        Span push = collector.one("push " + queue);
        Span batch = collector.one(span -> span.getParentSpanId().equals(push.getSpanId()));
        assertThat(batch.getName()).isEqualTo("batch push");
        assertThat(batch.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(batch.getTraceId()).isEqualTo(push.getTraceId());
        assertThat(Collector.attributes(batch))
                .containsEntry("db.system.name", "postgresql")
                .containsEntry("queen.batch.requests", "1");
    }

    @Test
    void call_ofRequestsThatMeet_hasLinksToThem() throws Exception {
        int count = 8;
        List<CompletableFuture<Void>> pushes = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> push(given(), item(queue + i, "p", "t" + i, "1")), Parallel.THREADS))
                .toList();
        for (CompletableFuture<Void> push : pushes) {
            push.get(30, TimeUnit.SECONDS);
        }

        List<ByteString> spans = IntStream.range(0, count)
                .mapToObj(i -> collector.one("push " + queue + i).getSpanId())
                .toList();
        List<Span> batches = collector.all(span -> spans.contains(span.getParentSpanId()));
        assertThat(batches).hasSizeLessThan(count);
        assertThat(batches.stream()
                        .flatMap(batch -> batch.getLinksList().stream())
                        .map(Span.Link::getSpanId))
                .hasSize(count - batches.size())
                .isSubsetOf(spans);
    }

    @Test
    void pop_afterPushes_linksToThemAndTellsTheConsumer() {
        push(given(), item(queue, "p", "t1", "1"), item(queue, "p", "t2", "2"));
        push(traced("01"), item(queue, "p", "t3", "3"));
        JsonArray messages = pop("?batch=10&consumerGroup=g");

        Span pop = collector.one("pop " + queue);
        List<Span> pushes = collector.all(span -> span.getName().equals("push " + queue));
        assertThat(pop.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(pop.getLinksList().stream().map(Span.Link::getSpanId))
                .containsExactlyInAnyOrderElementsOf(
                        pushes.stream().map(Span::getSpanId).toList());
        assertThat(Collector.attributes(pop))
                .containsEntry("messaging.operation.type", "receive")
                .containsEntry("messaging.consumer.group.name", "g")
                .containsEntry("messaging.batch.message_count", "3")
                .doesNotContainKey("messaging.message.id");
        assertThat(traceparent(messages, 0)).isEqualTo(traceparent(messages, 1));
        assertThat(traceparent(messages, 2)).startsWith("00-" + TRACE + "-").endsWith("-01");
        assertThat(pushes.stream().map(push -> hex(push.getSpanId())))
                .contains(traceparent(messages, 2).substring(36, 52));
    }

    @Test
    void push_ofAMessageWithATraceOfItsOwn_keepsItAndLinks() {
        String own = "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01";
        push(given(), withHeaders("{\"traceparent\":\"" + own + "\",\"tenant\":\"a\"}"));
        JsonArray messages = pop("?batch=10");

        assertThat(traceparent(messages, 0)).isEqualTo(own);
        assertThat(collector.one("push " + queue).getLinksList())
                .singleElement()
                .satisfies(link -> assertThat(hex(link.getTraceId())).isEqualTo("1".repeat(32)));
    }

    @Test
    void push_ofAMessageWithOtherHeaders_addsToThem() {
        push(traced("01").header("tracestate", "vendor=\"x\\y"), withHeaders("{\"tenant\":\"a\"}"));
        JsonObject headers = pop("").getJsonObject(0).getJsonObject("headers");

        assertThat(headers.getString("tenant")).isEqualTo("a");
        assertThat(headers.getString("traceparent")).contains(TRACE);
        assertThat(headers.getString("tracestate")).isEqualTo("vendor=\"x\\y");
    }

    @Test
    void push_ofACallerThatIsNotSampled_makesNoSpanAndSaysSo() {
        push(traced("00"), item(queue, "p", "t1", "1"));
        JsonArray messages = pop("");
        push(given(), item(queue, "p", "t2", "1"));

        collector.one("push " + queue);
        assertThat(traceparent(messages, 0)).startsWith("00-" + TRACE).endsWith("-00");
    }

    @Test
    void pop_thatFindsNothing_makesNoSpan() {
        given().get("/api/v1/pop/queue/" + queue).then().statusCode(204);
        push(given(), item(queue, "p", "t1", "1"));

        collector.one("push " + queue);
        assertThat(collector.all(span -> span.getName().equals("pop " + queue))).isEmpty();
    }

    @Test
    void pop_thatWaited_hasTheCallThatFoundItInItsTrace() throws Exception {
        CompletableFuture<JsonArray> waiting =
                CompletableFuture.supplyAsync(() -> pop("?wait=true&timeout=20000"), Parallel.THREADS);
        await().until(() -> Pops.parked() > 0);
        push(given(), item(queue, "p", "t1", "1"));
        assertThat(waiting.get(30, TimeUnit.SECONDS)).hasSize(1);

        Span pop = collector.one("pop " + queue);
        assertThat(collector.all(span -> span.getParentSpanId().equals(pop.getSpanId())))
                .allSatisfy(batch -> assertThat(batch.getName()).isEqualTo("batch pop"))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void ack_ofAMessage_settles() {
        push(given(), item(queue, "p", "t1", "1"));
        JsonObject message = pop("").getJsonObject(0);
        given().contentType("application/json")
                .body(ack(message).encode())
                .post("/api/v1/ack")
                .then()
                .statusCode(200);

        Span span = collector.one("ack " + queue);
        assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(Collector.attributes(span))
                .containsEntry("messaging.operation.type", "settle")
                .containsEntry("queen.transaction_id", "t1")
                .containsEntry("messaging.batch.message_count", "1");
        assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
    }

    @Test
    void transaction_ofAPushAndAnAck_carriesItsTrace() {
        push(given(), item(queue, "p", "t1", "1"));
        JsonObject message = pop("").getJsonObject(0);
        JsonArray operations = new JsonArray()
                .add(ack(message).put("type", "ack"))
                .add(new JsonObject()
                        .put("type", "push")
                        .put("items", new JsonArray().add(new JsonObject(item(queue + "-next", "p", "t2", "2")))));
        traced("01")
                .contentType("application/json")
                .body(new JsonObject().put("operations", operations).encode())
                .post("/api/v1/transaction")
                .then()
                .statusCode(200);

        Span span = collector.one("transaction " + queue + "-next");
        assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
        assertThat(Collector.attributes(span))
                .containsEntry("messaging.batch.message_count", "1")
                .containsEntry("queen.transaction.acks", "1");
        JsonArray next = messages(given().get("/api/v1/pop/queue/" + queue + "-next"));
        assertThat(traceparent(next, 0)).contains(TRACE, hex(span.getSpanId()));
    }

    @Test
    void request_thatIsRefused_endsWithItsCode() {
        traced("01")
                .contentType("application/json")
                .body("{\"items\":[{\"partition\":\"" + queue + "\"}]}")
                .post("/api/v1/push")
                .then()
                .statusCode(400);

        Span span = collector.one(
                one -> "MISSING_FIELD".equals(Collector.attributes(one).get("error.type")));
        assertThat(span.getName()).isEqualTo("push");
        assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(span.toString()).doesNotContain(queue);
    }

    private static RequestSpecification traced(String flags) {
        return given().header("traceparent", "00-" + TRACE + "-" + CALLER + "-" + flags);
    }

    private static void push(RequestSpecification caller, String... items) {
        caller.contentType("application/json")
                .body("{\"items\":[" + String.join(",", items) + "]}")
                .post("/api/v1/push")
                .then()
                .statusCode(201);
    }

    private String withHeaders(String headers) {
        return new JsonObject(item(queue, "p", "t1", "1"))
                .put("headers", new JsonObject(headers))
                .encode();
    }

    private JsonArray pop(String query) {
        return messages(given().get("/api/v1/pop/queue/" + queue + query));
    }

    private static JsonArray messages(Response answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new JsonObject(answer.asString()).getJsonArray("messages");
    }

    private static String traceparent(JsonArray messages, int index) {
        return messages.getJsonObject(index).getJsonObject("headers").getString("traceparent");
    }

    private static JsonObject ack(JsonObject message) {
        return new JsonObject()
                .put("transactionId", message.getString("transactionId"))
                .put("partitionId", message.getString("partitionId"))
                .put("leaseId", message.getString("leaseId"))
                .put("status", "completed");
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }
}
