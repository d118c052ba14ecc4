package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pushed while PostgreSQL is stopped, and a server that is killed with it. */
class BufferProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final String queue = "buffer-" + UUID.randomUUID();
    private EmbeddedPostgres postgres;
    private ServerProcess server;

    @BeforeEach
    void start() throws IOException {
        postgres = TestPostgres.start(directory.resolve("data"), 0);
        server = startServer().awaitReady();
    }

    @AfterEach
    void stop() {
        server.close();
        postgres.close();
    }

    @Test
    void push_postgresStoppedAndServerKilled_isDeliveredOnceAndInOrder() throws Exception {
        push(1, 5, "queued");
        postgres.close();
        push(6, 15, "buffered");
        server.kill();
        tearTail();
        server = startServer().awaitLog("not reachable yet");
        push(16, 20, "buffered");
        assertThat(pending()).isEqualTo(15);
        postgres =
                TestPostgres.start(directory.resolve("data"), postgres.address().port());
        awaitDrained();
        push(21, 21, "queued");
        assertThat(popped()).isEqualTo(numbers(1, 21));
        server.awaitLog("was not written whole");
        assertThat(segments()).isEmpty();
        assertThat(directory.resolve("buffers/failed")).doesNotExist();
    }

    @Test
    void push_recordDamagedOnDisk_isSetAsideAndTheOthersAreDelivered() throws Exception {
        push(1, 1, "queued");
        postgres.close();
        push(2, 10, "buffered");
        server.kill();
        damageTheMiddle();
        postgres =
                TestPostgres.start(directory.resolve("data"), postgres.address().port());
        server = startServer().awaitReady();
        awaitDrained();
        List<Integer> popped = popped();
        assertThat(popped).hasSize(9).isSubsetOf(numbers(1, 10)).isSorted().contains(1, 2, 10);
        server.awaitLog("is damaged at byte");
        assertThat(directory.resolve("buffers/failed").toFile().list())
                .singleElement()
                .asString()
                .endsWith(".damaged");
    }

    @Test
    void push_postgresBackWhileTheServerRuns_isDrainedByItself() throws Exception {
        push(1, 1, "queued");
        postgres.close();
        push(2, 4, "buffered");
        assertThat(server.get("/q/health/live").statusCode()).isEqualTo(200);
        JsonObject transaction = new JsonObject()
                .put(
                        "operations",
                        new JsonArray().add(item(9).put("type", "push").put("payload", 9)));
        assertThat(server.post("/api/v1/transaction", transaction).statusCode()).isEqualTo(503);
        postgres =
                TestPostgres.start(directory.resolve("data"), postgres.address().port());
        awaitDrained();
        push(5, 5, "queued");
        assertThat(popped()).isEqualTo(numbers(1, 5));
    }

    @Test
    void push_serverKilledBesideAnother_isAdoptedByTheOther() throws Exception {
        push(1, 1, "queued");
        postgres.close();
        push(2, 4, "buffered");
        ServerProcess first = server;
        server = startServer().awaitLog("not reachable yet");
        assertThat(pending()).isZero();
        first.kill();
        await().atMost(LIMIT).until(() -> pending() == 3);
        push(5, 5, "buffered");
        postgres =
                TestPostgres.start(directory.resolve("data"), postgres.address().port());
        awaitDrained();
        assertThat(popped()).isEqualTo(numbers(1, 5));
    }

    private ServerProcess startServer() throws IOException {
        PostgresAddress address = postgres.address();
        return ServerProcess.start(Map.of(
                "PG_HOST", address.host(),
                "PG_PORT", Integer.toString(address.port()),
                "PG_DB", address.database(),
                "PG_USER", address.user(),
                "PG_PASSWORD", address.password(),
                "FILE_BUFFER_DIR", directory.resolve("buffers").toString()));
    }

    private JsonObject item(int number) {
        return new JsonObject()
                .put("queue", queue)
                .put("partition", "p")
                .put("transactionId", "t" + number)
                .put("payload", number);
    }

    private void push(int first, int last, String status) throws Exception {
        for (int number = first; number <= last; number++) {
            JsonObject body = new JsonObject().put("items", new JsonArray().add(item(number)));
            var answer = server.post("/api/v1/push", body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(new JsonArray(answer.body()).getJsonObject(0).getString("status"))
                    .as("push %d", number)
                    .isEqualTo(status);
        }
    }

    private long pending() throws Exception {
        return new JsonObject(server.get("/api/v1/status/buffers").body()).getLong("pending");
    }

    private void awaitDrained() {
        await().atMost(LIMIT).until(() -> pending() == 0);
        server.awaitReady();
    }

    private List<Integer> popped() throws Exception {
        var answer = server.get("/api/v1/pop/queue/" + queue + "?batch=100&autoAck=true");
        List<Integer> data = new ArrayList<>();
        new JsonObject(answer.body())
                .getJsonArray("messages")
                .forEach(message -> data.add(((JsonObject) message).getInteger("data")));
        return data;
    }

    private static List<Integer> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> tree = Files.walk(directory.resolve("buffers"))) {
            return tree.filter(path -> path.toString().endsWith(".segment")).toList();
        }
    }

    /** As if the server had been killed while it wrote: a head that promises more than there is. */
    private void tearTail() throws IOException {
        Path segment = segments().get(0);
        byte[] head = ByteBuffer.allocate(16)
                .put(Files.readAllBytes(segment), 0, 8)
                .putInt(1000)
                .array();
        Files.write(segment, head, StandardOpenOption.APPEND);
    }

    private void damageTheMiddle() throws IOException {
        Path segment = segments().get(0);
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);
    }
}
