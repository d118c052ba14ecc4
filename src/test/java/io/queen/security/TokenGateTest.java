package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Http;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp;
import io.queen.testing.RawHttp.Answer;
import io.queen.testing.TestTokens;
import io.queen.testing.WithTokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithTokens.class)
class TokenGateTest {
    private static final String WRITER = TestTokens.of("read-write");
    private static final String ADMIN = TestTokens.of("admin");

    private final Http http = new Http(Duration.ofSeconds(30));
    private final String queue = Partitions.name("token");

    @TestHTTPResource("/")
    URI server;

    @Test
    void body_ofARefusedRequest_isNotTakenIn() throws IOException {
        for (String header : new String[] {"", "Authorization: Bearer " + WRITER + "x\r\n", "Authorization: x\r\n"}) {
            try (RawHttp connection = new RawHttp(server.getPort())) {
                connection.send(
                        "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n" + header + "\r\n");
                Answer answer = connection.answer();
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.closes()).isTrue();
            }
        }
    }

    @Test
    void body_thatComesWhileTheTokenIsChecked_isWhole() throws Exception {
        for (int i = 0; i < 20; i++) {
            JwtClaims claims = TestTokens.claims("read-write");
            claims.setJwtId(queue + i); // not seen before
            String text = "x".repeat(500_000) + i;
            HttpResponse<String> pushed = push(TestTokens.signed(claims), item(text));
            assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(201);
            JsonObject message = pop();
            assertThat(message.getJsonObject("data").getString("text")).isEqualTo(text);
        }
    }

    @Test
    void token_madeByTheCommandWithAnRsaKey_isAccepted() throws Exception {
        Map<String, String> settings = Map.of(
                "algorithm",
                "RS256",
                "private-key",
                TokenCommandTest.privatePem(TestTokens.RSA),
                "issuer",
                TestTokens.ISSUER,
                "audience",
                TestTokens.AUDIENCE);
        String token = TokenCommandTest.made(settings, "--role", "read-write", "--subject", "shop");
        assertThat(push(token, item("x")).statusCode()).isEqualTo(201);
        assertThat(pop().getString("producerSub")).isEqualTo("shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   ", "", "  "})
    void header_anySchemeSpelling_isTaken(String scheme) throws IOException {
        try (RawHttp connection = new RawHttp(server.getPort())) {
            connection.send("GET /api/v1/pauses HTTP/1.1\r\nHost: x\r\nAuthorization: " + scheme + WRITER + "\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic YWRtaW46YWRtaW4=", "Bearer", "Bearer  ", "Digest a=b, c=d", "Bearer a b"})
    void header_withoutAToken_is401(String header) throws IOException {
        try (RawHttp connection = new RawHttp(server.getPort())) {
            connection.send("GET /api/v1/pauses HTTP/1.1\r\nHost: x\r\nAuthorization: " + header + "\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(401);
        }
    }

    @Test
    void token_inQueryOrCookie_isNotLookedAt() throws Exception {
        assertThat(http.get(server.resolve("/api/v1/pauses?token=" + ADMIN + "&access_token=" + ADMIN))
                        .statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, //api/v1/push",
        "POST, /api//v1/push",
        "POST, /api/v1/push/",
        "POST, /api/v1/push//",
        "POST, /api/v1/./push",
        "POST, /api/v1/%70ush",
        "POST, /%61pi/v1/push",
        "POST, /x/../api/v1/push",
        "POST, /x/%2e%2e/api/v1/push",
        "POST, /api/v1/push;x=1",
        "POST, /api;x/v1/push",
        "POST, /api/v1;/push",
        "POST, /API/v1/push",
        "POST, /api%2fv1%2fpush",
        "POST, /api/v1/push%2f",
        "POST, /health/../api/v1/push",
        "POST, /health/..;/api/v1/push",
        "POST, /api/v1/skipped-too/../push",
        "POST, /api/v1/skipped-too/..;/push",
        "POST, /api/v1/skipped-too/%2e%2e/push",
        "POST, /api/v1/skipped-too/..%2fpush",
        "POST, /api/v1/skipped/../push",
        "POST, /api/v1/push?x=/health",
        "GET, /api/v1/pauses;/health",
        "GET, /api/v1/pauses/",
        "GET, //api//v1//pauses",
        "GET, /;/api/v1/pauses",
        "GET, /api/v1/system/maintenance;x",
        "GET, /api/v1/system;x/maintenance",
        "GET, /api/v1/%73ystem/maintenance/",
        "GET, /internal;a/api/shared-state/stats",
        "GET, /x/../internal/api/shared-state/stats",
        "HEAD, /api/v1/system/maintenance",
        "GET, http://localhost/api/v1/system/maintenance",
    })
    void path_writtenInAnotherWay_opensNothing(String method, String path) throws IOException {
        String low = method.equals("POST") || path.contains("pauses") ? null : TestTokens.of("read-only");
        try (RawHttp connection = new RawHttp(server.getPort())) {
            connection.send(method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n"
                    + (low == null ? "" : "Authorization: " + low + "\r\n") + "\r\n");
            Answer answer = method.equals("HEAD") ? connection.head() : connection.answer();
            assertThat(answer.status()).as(answer.body()).isIn(400, 401, 403, 404, 405);
            assertThat(answer.body()).doesNotContain("MISSING_FIELD", "EMPTY_BODY", "pauses\":", "maintenanceMode");
        }
    }

    @Test
    void path_skipped_asksForNoToken() throws Exception {
        for (String path : new String[] {"/api/v1/skipped", "/api/v1/skipped-too/x"}) {
            assertThat(http.get(server.resolve(path)).statusCode()).isEqualTo(404);
        }
        for (String path : new String[] {"/api/v1/skipped/x", "/api/v1/skipped-too", "/api/v1/skippe"}) {
            assertThat(http.get(server.resolve(path)).statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/health", "/metrics", "/metrics/prometheus", "/q/health/live", "/q/openapi", "/api/v1"})
    void path_public_asksForNoToken(String path) throws Exception {
        assertThat(http.get(server.resolve(path)).statusCode()).isIn(200, 302);
        assertThat(http.send("OPTIONS", server.resolve("/api/v1/push"), null, null)
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void producerSub_ofAPush_isTheSubjectWhateverTheBodySays() throws Exception {
        JsonObject item = item("a").put("producerSub", "somebody-else");
        assertThat(push(WRITER, item).statusCode()).isEqualTo(201);
        assertThat(pop().getString("producerSub")).isEqualTo("tester-read-write");
    }

    @Test
    void producerSub_ofATokenWithoutSubject_isNull() throws Exception {
        JwtClaims claims = TestTokens.claims("read-write");
        claims.unsetClaim("sub");
        push(TestTokens.signed(claims), item("a"));
        JsonObject message = pop();
        assertThat(message.containsKey("producerSub")).isTrue();
        assertThat(message.getString("producerSub")).isNull();
    }

    @Test
    void producerSub_ofATransaction_isTheSubject() throws Exception {
        JsonObject flat = item("flat").put("type", "push").put("producerSub", "x");
        JsonObject list = new JsonObject()
                .put("type", "push")
                .put("items", new JsonArray().add(item("b").put("producerSub", "x")));
        JsonObject body =
                new JsonObject().put("operations", new JsonArray().add(flat).add(list));
        HttpResponse<String> answer = http.send("POST", server.resolve("/api/v1/transaction"), WRITER, body.encode());
        assertThat(new JsonObject(answer.body()).getBoolean("success")).isTrue();
        assertThat(pop().getString("producerSub")).isEqualTo("tester-read-write");
        assertThat(pop().getString("producerSub")).isEqualTo("tester-read-write");
    }

    @Test
    void producerSub_ofACycle_isTheSubject() throws Exception {
        String source = Partitions.name("source");
        String pushed = push(ADMIN, item("a").put("queue", source)).body();
        JsonObject register =
                new JsonObject().put("name", source).put("source_queue", source).put("config_hash", "h");
        HttpResponse<String> known =
                http.send("POST", server.resolve("/streams/v1/queries"), WRITER, register.encode());
        JsonObject cycle = new JsonObject()
                .put("query_id", new JsonObject(known.body()).getString("query_id"))
                .put("partition_id", new JsonArray(pushed).getJsonObject(0).getString("partition_id"))
                .put("push_items", new JsonArray().add(item("b").put("producerSub", "x")));
        HttpResponse<String> answer = http.send("POST", server.resolve("/streams/v1/cycle"), WRITER, cycle.encode());
        assertThat(new JsonObject(answer.body()).getBoolean("success"))
                .as(answer.body())
                .isTrue();
        assertThat(pop().getString("producerSub")).isEqualTo("tester-read-write");
    }

    @Test
    void producerSub_ofABufferedPush_isTheSubject() throws Exception {
        maintenance(true);
        try {
            assertThat(push(WRITER, item("a")).body()).contains("\"status\":\"buffered\"");
        } finally {
            maintenance(false);
        }
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(pop().getString("producerSub")).isEqualTo("tester-read-write"));
    }

    @Test
    void act_ofAnOperator_isRecordedWithTheSubject() throws Exception {
        URI configure = server.resolve("/api/v1/configure");
        assertThat(http.send("POST", configure, WRITER, "{\"queue\":\"" + queue + "\"}")
                        .statusCode())
                .isEqualTo(200);
        URI audit = server.resolve("/api/v1/audit?queue=" + queue);
        assertThat(http.send("GET", audit, WRITER, null).statusCode()).isEqualTo(403);
        await().ignoreExceptions().untilAsserted(() -> {
            JsonObject page =
                    new JsonObject(http.send("GET", audit, ADMIN, null).body());
            JsonObject act = page.getJsonArray("acts").getJsonObject(0);
            assertThat(act.getString("subject")).isEqualTo("tester-read-write");
            assertThat(act.getString("act")).isEqualTo("configureQueue");
        });
    }

    private void maintenance(boolean on) throws IOException, InterruptedException {
        URI uri = server.resolve("/api/v1/system/maintenance");
        assertThat(http.send("POST", uri, ADMIN, "{\"enabled\":" + on + "}").statusCode())
                .isEqualTo(200);
    }

    private JsonObject item(String text) {
        return new JsonObject().put("queue", queue).put("payload", new JsonObject().put("text", text));
    }

    private HttpResponse<String> push(String token, JsonObject item) throws IOException, InterruptedException {
        String body = new JsonObject().put("items", new JsonArray().add(item)).encode();
        return http.send("POST", server.resolve("/api/v1/push"), token, body);
    }

    private JsonObject pop() throws IOException, InterruptedException {
        URI uri = server.resolve("/api/v1/pop/queue/" + queue + "?autoAck=true");
        return new JsonObject(http.send("GET", uri, WRITER, null).body())
                .getJsonArray("messages")
                .getJsonObject(0);
    }
}
