package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.TestPostgres;
import io.queen.embedded.TestStandby;
import io.queen.testing.Ports;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to PostgreSQL, the server says what is true meanwhile and recovers by itself. */
class OutageProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    private final String queue = "outage-" + UUID.randomUUID();
    private final List<AutoCloseable> running = new ArrayList<>();
    private ServerProcess server;
    private int pushed;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
    }

    @Test
    void postgres_frozen_isNoticedAndComesBack() throws Exception {
        EmbeddedPostgres postgres = start(TestPostgres.start(data(), 0));
        server = serve(
                postgres.address(),
                "PG_PORT",
                Integer.toString(postgres.address().port()));
        push(3);
        signal("STOP");
        try {
            push(3);
            assertThat(pop("").getBoolean("success")).isFalse();
            assertThat(pop("").getString("error")).isEqualTo("PostgreSQL can't be reached");
            assertThat(pop("wait=true&timeout=500").getBoolean("success")).isFalse();
            JsonObject configure = new JsonObject().put("queue", queue);
            assertThat(server.post("/api/v1/configure", configure).statusCode()).isEqualTo(503);
            assertThat(server.post("/api/v1/lease/" + UUID.randomUUID() + "/extend", new JsonObject())
                            .statusCode())
                    .isEqualTo(503);
            assertThat(server.status("/q/health/ready")).isEqualTo(503);
            assertThat(server.status("/q/health/live")).isEqualTo(200);
        } finally {
            signal("CONT");
        }
        awaitRecovered();
        assertEverythingIsThereInOrder();
        JsonObject configure = new JsonObject().put("queue", queue);
        assertThat(server.post("/api/v1/configure", configure).statusCode()).isEqualTo(200);
    }

    /** A cycle is no push: it is not buffered, but refused as a whole, and its worker sends it again. */
    @Test
    void cycle_postgresFrozen_isRefusedAndChangesNothing() throws Exception {
        EmbeddedPostgres postgres = start(TestPostgres.start(data(), 0));
        server = serve(
                postgres.address(),
                "PG_PORT",
                Integer.toString(postgres.address().port()));
        push(3);
        JsonObject cycle = cycleOfAllPushed();
        signal("STOP");
        try {
            push(1); // by which the server finds out
            HttpResponse<String> refused = server.post("/streams/v1/cycle", cycle);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(state(cycle).statusCode()).isEqualTo(503);
        } finally {
            signal("CONT");
        }
        awaitRecovered();
        assertThat(rows(cycle)).isEmpty();
        assertThat(server.get("/api/v1/pop/queue/" + queue + "-sink").statusCode())
                .isEqualTo(204);
        // The lease that it names is still held, and the cursor is before its message.
        HttpResponse<String> applied = server.post("/streams/v1/cycle", cycle);
        assertThat(new JsonObject(applied.body()).getBoolean("success"))
                .as(applied.body())
                .isTrue();
        assertThat(rows(cycle)).hasSize(1);
        assertThat(new JsonObject(server.get("/api/v1/pop/queue/" + queue + "-sink?batch=10")
                                .body())
                        .getJsonArray("messages"))
                .hasSize(1);
    }

    /** Of a new query in a batch that is popped for it. */
    private JsonObject cycleOfAllPushed() throws Exception {
        JsonObject query =
                new JsonObject().put("name", queue).put("source_queue", queue).put("config_hash", "h");
        JsonObject popped = new JsonObject(server.get("/api/v1/pop/queue/" + queue + "?consumerGroup=worker&batch=10")
                        .body())
                .getJsonArray("messages")
                .getJsonObject(pushed - 1);
        JsonObject upsert =
                new JsonObject().put("type", "upsert").put("key", "k").put("value", pushed);
        return new JsonObject()
                .put(
                        "query_id",
                        new JsonObject(server.post("/streams/v1/queries", query).body()).getString("query_id"))
                .put("partition_id", popped.getString("partitionId"))
                .put("consumer_group", "worker")
                .put("state_ops", new JsonArray().add(upsert))
                .put(
                        "push_items",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("queue", queue + "-sink")
                                        .put("payload", pushed)))
                .put(
                        "ack",
                        new JsonObject()
                                .put("transactionId", popped.getString("transactionId"))
                                .put("leaseId", popped.getString("leaseId")));
    }

    private HttpResponse<String> state(JsonObject cycle) throws Exception {
        JsonObject ids = new JsonObject()
                .put("query_id", cycle.getString("query_id"))
                .put("partition_id", cycle.getString("partition_id"));
        return server.post("/streams/v1/state/get", ids);
    }

    private JsonArray rows(JsonObject cycle) throws Exception {
        return new JsonObject(state(cycle).body()).getJsonArray("rows");
    }

    @Test
    void stop_postgresFrozen_endsWithoutAStackTrace() throws Exception {
        EmbeddedPostgres postgres = start(TestPostgres.start(data(), 0));
        server = serve(
                postgres.address(),
                "PG_PORT",
                Integer.toString(postgres.address().port()));
        push(3);
        signal("STOP");
        try {
            push(1);
            server.terminate();
        } finally {
            signal("CONT");
        }
        assertThat(server.log()).doesNotContain("\tat ");
    }

    @Test
    void connections_terminatedOneByOneAndAllAtOnce_nobodyNotices() throws Exception {
        EmbeddedPostgres postgres = start(TestPostgres.start(data(), 0));
        server = serve(
                postgres.address(),
                "PG_PORT",
                Integer.toString(postgres.address().port()));
        String ours = "select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name like 'queen-%' and pid <> pg_backend_pid()";
        for (int i = 0; i < 10; i++) {
            execute(postgres.address(), ours + " order by random() limit 1");
            push(1);
        }
        execute(postgres.address(), ours);
        push(3);
        awaitRecovered();
        assertEverythingIsThereInOrder();
    }

    @Test
    void primary_failsOver_theOtherHostIsUsed() throws Exception {
        EmbeddedPostgres first = TestPostgres.start(data(), 0);
        PostgresAddress address = first.address();
        first.close();
        int port = Ports.free();
        TestStandby standby = TestStandby.copy(data(), address, directory.resolve("standby"), port);
        EmbeddedPostgres primary = start(TestPostgres.start(data(), address.port()));
        start(standby.start());
        String hosts = address.host() + ":" + port + ", " + address.host() + ":" + address.port();
        server = serve(address, "PG_HOST", hosts);
        push(5);
        await().atMost(LIMIT)
                .until(() ->
                        standby.query("select count(*) from queen.messages").equals("5"));
        assertThat(standby.query("select pg_is_in_recovery()")).isEqualTo("t");
        primary.close();
        push(3);
        standby.promote();
        awaitRecovered();
        push(2);
        assertEverythingIsThereInOrder();
        assertThat(standby.query("select count(*) from queen.messages")).isEqualTo("10");
    }

    @Test
    void embeddedPostgres_killed_isStartedAgain() throws Exception {
        server = start(ServerProcess.start(Map.of("QUEEN_DATA_DIR", data().toString())))
                .awaitReady();
        push(3);
        ProcessHandle.of(postmaster()).orElseThrow().destroyForcibly();
        server.awaitLog("The embedded PostgreSQL had ended by itself and was started again");
        push(3);
        awaitRecovered();
        assertEverythingIsThereInOrder();
    }

    private Path data() {
        return directory.resolve("data");
    }

    private <T extends AutoCloseable> T start(T started) {
        running.add(0, started);
        return started;
    }

    private ServerProcess serve(PostgresAddress address, String key, String value) throws IOException {
        Map<String, String> environment = new java.util.HashMap<>(Map.of(
                "PG_HOST", address.host(),
                "PG_DB", address.database(),
                "PG_USER", address.user(),
                "PG_PASSWORD", address.password(),
                "FILE_BUFFER_DIR", directory.resolve("buffers").toString()));
        environment.put(key, value);
        return start(ServerProcess.start(environment)).awaitReady();
    }

    /** One message after the other; each must be stored or buffered. */
    private void push(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            pushed++;
            JsonObject item = new JsonObject()
                    .put("queue", queue)
                    .put("partition", "p")
                    .put("transactionId", "t" + pushed)
                    .put("payload", pushed);
            HttpResponse<String> answer = server.push(item);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(new JsonArray(answer.body()).getJsonObject(0).getString("status"))
                    .isIn("queued", "buffered");
        }
    }

    private void awaitRecovered() {
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> new JsonObject(server.get("/api/v1/status/buffers").body()).getLong("pending") == 0);
        server.awaitReady();
    }

    private JsonObject pop(String query) throws Exception {
        HttpResponse<String> answer = server.get("/api/v1/pop/queue/" + queue + "?autoAck=true&" + query);
        assertThat(answer.statusCode()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private void assertEverythingIsThereInOrder() throws Exception {
        List<Integer> data = new ArrayList<>();
        pop("batch=1000")
                .getJsonArray("messages")
                .forEach(message -> data.add(((JsonObject) message).getInteger("data")));
        assertThat(data).isEqualTo(IntStream.rangeClosed(1, pushed).boxed().toList());
    }

    private long postmaster() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data().resolve("postgres/postmaster.pid")).get(0));
    }

    /** To PostgreSQL and all its processes. */
    private void signal(String name) throws Exception {
        ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .forEach(process -> command.add(Long.toString(process.pid())));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static void execute(PostgresAddress address, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + address.database(),
                        address.user(),
                        address.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
