package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp;
import io.queen.testing.ServerProcess;
import io.queen.testing.Skip;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged server with a small heap, and more clients than it can serve. */
class CrowdProcessTest {
    private static final int IDLE = 10_000;
    private static final int PUSHERS = 48;
    private static final int LARGE = 4 << 20;
    private static final int CHUNKED = 12;

    private ServerProcess server;
    private final String queue = Partitions.name("crowd");

    @BeforeEach
    void start() throws IOException {
        TestPostgres postgres = TestPostgres.shared();
        postgres.migrate();
        server = ServerProcess.start(Map.of(
                        "PG_HOST", postgres.host(),
                        "PG_PORT", Integer.toString(postgres.port()),
                        "PG_DB", postgres.database(),
                        "PG_USER", postgres.user(),
                        "PG_PASSWORD", postgres.password(),
                        "JDK_JAVA_OPTIONS", "-Xmx256m -XX:+ExitOnOutOfMemoryError"))
                .awaitReady();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void manyConnections_idleOrSlow_doNoHarm() throws Exception {
        Skip.FEW_OPEN_FILES.unless(openFileLimit() > IDLE + 1000);
        push("before", "1");
        List<SocketChannel> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                crowd.add(connect());
            }
            for (int i = 0; i < 500; i++) {
                send(crowd.get(i), "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Le");
                send(
                        crowd.get(500 + i),
                        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{\"ite");
                send(crowd.get(1000 + i), "GET /metrics/prometheus HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20));
            }
            push("after", "2");
            assertThat(popped()).containsExactly("before", "after");
        } finally {
            for (SocketChannel each : crowd) {
                each.close();
            }
        }
    }

    @Test
    void largeBodies_moreThanTheHeapHolds_getA503OrAreStored() throws Exception {
        AtomicLong stored = new AtomicLong();
        AtomicInteger refused = new AtomicInteger();
        String payload = '"' + "x".repeat(LARGE) + '"';
        ExecutorService threads = Executors.newFixedThreadPool(PUSHERS);
        List<Callable<Void>> pushes = new ArrayList<>();
        for (int i = 0; i < 4 * PUSHERS; i++) {
            String id = "t" + i;
            pushes.add(() -> {
                count(item(id, payload), stored, refused);
                return null;
            });
        }
        for (Future<Void> each : threads.invokeAll(pushes)) {
            each.get();
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(stored.get()).isPositive();
        assertThat(refused.get()).isPositive();
        try (Sql sql = Sql.open()) {
            assertThat(sql.number(
                            "select p.head from queen.partitions p join queen.queues q on q.id = p.queue_id"
                                    + " where q.name = ?",
                            queue))
                    .isEqualTo(stored.get());
        }
        push("afterwards", "1");
    }

    @Test
    void chunkedBodies_moreThanTheHeapHolds_leaveSmallPushesAlone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CHUNKED);
        List<Future<Integer>> floods = new ArrayList<>();
        for (int i = 0; i < CHUNKED; i++) {
            floods.add(threads.submit(this::flood));
        }
        int pushed = 0;
        while (floods.stream().anyMatch(flood -> !flood.isDone())) {
            push("beside" + pushed++, "1");
        }
        for (Future<Integer> flood : floods) {
            assertThat(flood.get()).isIn(0, 413, 503); // 0: closed while it was sending
        }
        threads.shutdown();
        push("afterwards", "1");
        assertThat(server.isAlive()).isTrue();
    }

    @Test
    void largeBodies_announcedAndNotSent_blockNobody() throws Exception {
        List<RawHttp> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                stalled.add(new RawHttp(server.port()).announce(30 << 20).send("0123456789"));
            }
            push("beside", "1");
            push("largeBeside", '"' + "x".repeat(LARGE) + '"');
            assertThat(stalled.get(0).answer().status()).isEqualTo(408);
        } finally {
            for (RawHttp each : stalled) {
                each.close();
            }
        }
    }

    /** The status of the answer to a body of 40 MB that does not tell its length. */
    private int flood() {
        byte[] chunk = new byte[1 << 20];
        try (RawHttp connection = new RawHttp(server.port()).announceChunks()) {
            for (int i = 0; i < 40; i++) {
                connection.chunk(chunk);
            }
            return connection.send("0\r\n\r\n").answer().status();
        } catch (IOException closed) {
            return 0;
        }
    }

    private void count(JsonObject item, AtomicLong stored, AtomicInteger refused) throws Exception {
        HttpResponse<String> answer;
        try {
            answer = server.push(item);
        } catch (IOException closedWhileSending) {
            refused.incrementAndGet();
            return;
        }
        if (answer.statusCode() == 201) {
            stored.incrementAndGet();
            return;
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        refused.incrementAndGet();
    }

    private JsonObject item(String transactionId, String payload) {
        return new JsonObject()
                .put("queue", queue)
                .put("transactionId", transactionId)
                .put("payload", payload);
    }

    private void push(String transactionId, String payload) throws Exception {
        HttpResponse<String> answer = server.push(item(transactionId, payload));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private List<String> popped() throws Exception {
        JsonObject answer = new JsonObject(
                server.get("/api/v1/pop/queue/" + queue + "?batch=10").body());
        return answer.getJsonArray("messages").stream()
                .map(message -> ((JsonObject) message).getString("transactionId"))
                .toList();
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    }

    private static void send(SocketChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static long openFileLimit() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .mapToLong(line -> Long.parseLong(line.split("\\s{2,}", -1)[1].replace("unlimited", "1000000")))
                .findFirst()
                .orElse(0);
    }

    /** Or anybody could fill the disk with what the server says of it. */
    @Test
    void connections_thatSpeakNoHttpOrLeaveEarly_leaveTheLogAsItWas() throws Exception {
        String ask = "GET /api/v1/pop/queue/none?wait=true&timeout=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for (String bytes :
                List.of("GET / HTTP/1.1\nHost: localhost\n\n", "\u0001\u0002\r\n\r\n", ask + ask, ask + "nonsense")) {
            try (RawHttp connection = new RawHttp(server.port())) {
                connection.send(bytes);
                push("served", "1");
            }
        }
        await().untilAsserted(() -> assertThat(server.parked()).isZero());
        assertThat(server.log()).doesNotContain("Exception");
    }
}
