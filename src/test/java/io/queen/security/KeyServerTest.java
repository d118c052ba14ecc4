package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.queen.testing.TestTokens;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens whose keys a real HTTP server has, which rotates them, is slow, talks nonsense or is away. */
class KeyServerTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final int TIMEOUT_MS = 500;

    /** What the key server answers. */
    private interface Behaviour {
        void answer(HttpExchange exchange) throws IOException;
    }

    private final KeyPair first = TestTokens.pair("RSA");
    private final KeyPair second = TestTokens.pair("Ed25519");
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Behaviour behaviour = answer("{\"keys\":[]}");
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        listen(0);
    }

    private void listen(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            behaviour.answer(exchange);
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @AfterAll
    static void close() {
        VERTX.close();
    }

    @Test
    void key_onTheServer_isFetchedWhenATokenNamesIt() throws Exception {
        behaviour = keys(key(first, "one"));
        Tokens tokens = tokens(0);
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
        assertThat(check(tokens, rs256(first, null)).level()).isEqualTo(Level.ADMIN);
        assertThat(asked).hasValue(1);
    }

    @Test
    void key_new_isFetchedAndTheOldOneForgotten() throws Exception {
        behaviour = keys(key(first, "one"));
        Tokens tokens = tokens(0);
        String old = rs256(first, "one");
        check(tokens, old);
        assertThat(tokens.remembered(tokens.hash(old))).isNotNull();
        behaviour = keys(key(second, "two"));
        String fresh = TestTokens.signed(TestTokens.claims("admin").toJson(), "EdDSA", second.getPrivate(), "two");
        await().untilAsserted(() -> assertThat(check(tokens, fresh).subject()).isEqualTo("tester-admin"));
        assertThat(tokens.remembered(tokens.hash(old))).isNull();
        assertThat(code(tokens, old)).isEqualTo(ErrorCode.INVALID_TOKEN);
    }

    @Test
    void keys_twoAtATime_bothWork() throws Exception {
        behaviour = keys(key(first, "one"), key(second, "two"));
        Tokens tokens = tokens(0);
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
        String eddsa = TestTokens.signed(TestTokens.claims("admin").toJson(), "EdDSA", second.getPrivate(), "two");
        assertThat(check(tokens, eddsa).level()).isEqualTo(Level.ADMIN);
        // The key of one kind under the id of the other.
        assertThat(code(tokens, rs256(first, "two"))).isEqualTo(ErrorCode.INVALID_TOKEN);
    }

    @Test
    void keyIds_unknownAndMany_askTheServerOnce() throws Exception {
        behaviour = keys(key(first, "one"));
        Tokens tokens = tokens(60_000);
        List<Future<Caller>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String token = rs256(first, "random-" + i);
            answers.add(tokens.check(token, tokens.hash(token)));
        }
        for (Future<Caller> answer : answers) {
            assertThat(code(answer)).isEqualTo(ErrorCode.INVALID_TOKEN);
        }
        assertThat(asked).hasValue(1);
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
    }

    @Test
    void server_away_knownKeysGoOnAndUnknownOnesAre500() throws Exception {
        behaviour = keys(key(first, "one"));
        Tokens tokens = tokens(0);
        check(tokens, rs256(first, "one"));
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
        await().pollInSameThread()
                .untilAsserted(
                        () -> assertThat(code(tokens, rs256(first, "two"))).isEqualTo(ErrorCode.KEYS_UNAVAILABLE));
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
        listen(port);
        await().untilAsserted(
                        () -> assertThat(code(tokens, rs256(first, "two"))).isEqualTo(ErrorCode.INVALID_TOKEN));
    }

    @Test
    void server_awayAtTheStart_isFetchedInTheBackground() throws Exception {
        int port = server.getAddress().getPort();
        server.stop(0);
        List<String> said = new ArrayList<>();
        Complaints complaints = new Complaints(System::nanoTime, said::add);
        Keys keys = keys(0, ring -> {});
        assertThat(next(keys, complaints)).isEqualTo(1000);
        assertThat(next(keys, complaints)).isEqualTo(2000);
        assertThat(said).singleElement().asString().startsWith("The keys for tokens can't be fetched (JWT_JWKS_URL): ");
        assertThat(keys.ring().published()).isEmpty();
        listen(port);
        behaviour = keys(key(first, "one"));
        assertThat(next(keys, complaints)).isEqualTo(3600_000);
        assertThat(keys.ring().published()).hasSize(1);
    }

    /** Fetches, and gives the pause until the next time. */
    private static long next(Keys keys, Complaints complaints) {
        return keys.fetch(complaints).await().atMost(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "{}",
                "[]",
                "null",
                "{\"keys\":null}",
                "{\"keys\":[]}",
                "{\"keys\":[1,{},{\"kty\":\"RSA\"},{\"kty\":\"oct\",\"k\":\"AAAA\"}]}",
                "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"*\",\"e\":\"AQAB\"}]}",
                "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AAAA\"}]}",
            })
    void answer_withoutAKey_leavesTheKnownKeys(String answer) throws Exception {
        behaviour = keys(key(first, "one"));
        Tokens tokens = tokens(0);
        check(tokens, rs256(first, "one"));
        behaviour = answer(answer);
        await().untilAsserted(
                        () -> assertThat(code(tokens, rs256(first, "two"))).isEqualTo(ErrorCode.KEYS_UNAVAILABLE));
        assertThat(check(tokens, rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
    }

    @Test
    void answer_withOtherKeysToo_isTakenForThoseOfUse() throws Exception {
        String set = new JsonWebKeySet(key(first, "one")).toJson();
        behaviour =
                answer(set.replace("{\"keys\":[", "{\"keys\":[{\"kty\":\"new\"},{\"kty\":\"oct\",\"k\":\"AAAA\"},"));
        assertThat(check(tokens(0), rs256(first, "one")).level()).isEqualTo(Level.ADMIN);
    }

    @Test
    void answer_huge_isNotRead() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        behaviour = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] part = new byte[1 << 16];
                for (int i = 0; i < 100_000; i++) {
                    out.write(part);
                }
            } catch (IOException e) {
                ended.countDown();
            }
        };
        assertThat(code(tokens(0), rs256(first, "one"))).isEqualTo(ErrorCode.KEYS_UNAVAILABLE);
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void answer_thatDoesNotEnd_isGivenUp() throws Exception {
        CountDownLatch test = new CountDownLatch(1);
        behaviour = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                test.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        long began = System.nanoTime();
        assertThat(code(tokens(0), rs256(first, "one"))).isEqualTo(ErrorCode.KEYS_UNAVAILABLE);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        test.countDown();
    }

    @Test
    void status_otherThan200_isAFailure() throws Exception {
        behaviour = exchange -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        };
        assertThat(code(tokens(0), rs256(first, "one"))).isEqualTo(ErrorCode.KEYS_UNAVAILABLE);
        assertThat(asked).hasValue(1);
    }

    private static Behaviour answer(String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private static Behaviour keys(JsonWebKey... keys) {
        return answer(new JsonWebKeySet(keys).toJson());
    }

    private static JsonWebKey key(KeyPair pair, String id) throws Exception {
        PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(pair.getPublic());
        key.setKeyId(id);
        return key;
    }

    private static String rs256(KeyPair pair, String id) {
        return TestTokens.signed(TestTokens.claims("admin").toJson(), "RS256", pair.getPrivate(), id);
    }

    private Map<String, String> settings() {
        return Map.of(
                "algorithm",
                "auto",
                "jwks-url",
                "http://127.0.0.1:" + server.getAddress().getPort() + "/keys",
                "jwks-timeout-ms",
                Integer.toString(TIMEOUT_MS));
    }

    private Tokens tokens(long pauseMillis) {
        return new Tokens(VERTX, KeySettingsTest.config(settings()), pauseMillis);
    }

    private Keys keys(long pauseMillis, Consumer<KeyRing> changed) {
        var config = KeySettingsTest.config(settings());
        return new Keys(VERTX, config, new KeySettings(config), pauseMillis, changed);
    }

    private static Caller check(Tokens tokens, String token) throws Exception {
        return tokens.check(token, tokens.hash(token))
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private static ErrorCode code(Tokens tokens, String token) throws Exception {
        return code(tokens.check(token, tokens.hash(token)));
    }

    private static ErrorCode code(Future<Caller> answer) throws Exception {
        try {
            answer.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return ((QueenException) e.getCause()).code();
        }
    }
}
