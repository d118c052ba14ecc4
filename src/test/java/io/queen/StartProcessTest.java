package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.HeldStart;
import io.queen.testing.Http;
import io.queen.testing.ServerProcess;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that starts on a database that is not as it should be. */
class StartProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int MANY_CLIENTS = 12;

    @TempDir
    Path directory;

    @Test
    void start_sessionsCutAgainAndAgain_becomesReady() throws Exception {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("start_cut");
        try (HeldStart held = new HeldStart(() -> Sql.open(postgres));
                ServerProcess server = ServerProcess.start(postgres.environment())) {
            for (int i = 0; i < 4; i++) {
                held.cut();
            }
            assertThat(server.awaitLog("address").status("/q/health/ready")).isEqualTo(503);
            held.release();
            server.awaitReady().awaitLog("The database is there");
            assertThat(server.log()).doesNotContain("\tat ");
        }
    }

    @Test
    void start_newerSchemaWithoutAFunction_refusesItAndWritesNothing() throws Exception {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("start_refused");
        try (Sql sql = Sql.open(postgres)) {
            sql.run("insert into queen.flyway_schema_history (installed_rank, version, description, type, script,"
                    + " checksum, installed_by, execution_time, success)"
                    + " values (9999, '9999', 'later', 'SQL', 'V9999__later.sql', 1, 'queen', 1, true)");
            sql.run("alter function queen.renew_list_v1 rename to renew_list_gone");
            try (ServerProcess server = ServerProcess.start(environment(postgres))) {
                server.awaitLog("lacks what this server calls: function renew_list_v1(");
                server.awaitLog("can't be used");
                assertRefused(server.post("/api/v1/push", push("q")));
                assertRefused(server.post("/api/v1/configure", new JsonObject().put("queue", "q")));
                assertRefused(server.get("/api/v1/pop/queue/q"));
                assertThat(server.status("/health")).isEqualTo(503);
                assertThat(server.status("/q/health/live")).isEqualTo(200);
                assertThat(sql.number("select count(*) from queen.queues")).isZero();
                assertThat(segments()).isEmpty();
                sql.run("alter function queen.renew_list_gone rename to renew_list_v1");
                server.awaitReady().awaitLog("made by a newer server than this one");
                assertThat(server.post("/api/v1/push", push("q")).body()).contains("queued");
            }
        }
    }

    @Test
    void start_roleWithFewConnections_messagesGetThem() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("start_few");
        try (Sql sql = Sql.open(postgres)) {
            sql.run("create role few login password 'few' connection limit 4");
            sql.run("grant create on database start_few to few");
            Map<String, String> environment = environment(postgres);
            environment.putAll(Map.of("PG_USER", "few", "PG_PASSWORD", "few", "NUM_WORKERS", "2"));
            try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
                server.awaitLog("allows 4 connections (the connection limit of role few), and this server wants 28");
                server.awaitLog("PostgreSQL opens no more connections, and this server wants 28");
                assertEveryLoopStores(server);
                assertThat(server.get("/api/v1/pop/queue/q").statusCode()).isEqualTo(200);
                assertThat(server.status("/health")).isEqualTo(200);

                sql.run("alter role few connection limit 1");
                sql.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'");
                await().atMost(LIMIT).until(() -> server.status("/health") == 503);
                assertThat(server.status("/q/health/ready")).isEqualTo(503);

                sql.run("alter role few connection limit 3");
                server.awaitReady();
                assertEveryLoopStores(server);
            }
        }
    }

    @Test
    void stop_connectionsBeingOpened_endsWithoutAStackTrace() throws Exception {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("start_stop");
        try (Sql sql = Sql.open(postgres).begin()) {
            // What a new connection tries out first has to wait, a tenth of a second at a time.
            sql.run("lock table queen.queues, queen.partitions, queen.push_log_life in access exclusive mode");
            ServerProcess server = ServerProcess.start(environment(postgres)).awaitLog("address");
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> sql.number("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                    + " and application_name = 'queen-sidecar' and datname = current_database()")
                            > 0);
            server.terminate();
            assertThat(server.log()).doesNotContain("\tat ");
        }
    }

    /** Each client has a connection of its own, so all event loops get some. */
    private static void assertEveryLoopStores(ServerProcess server) throws Exception {
        for (int i = 0; i < MANY_CLIENTS; i++) {
            HttpResponse<String> answer = new Http(LIMIT).post(server.uri("/api/v1/push"), push("q"));
            assertThat(answer.body()).contains("queued");
        }
    }

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(new JsonObject(answer.body()).getString("code")).isEqualTo("SCHEMA_REFUSED");
        assertThat(answer.body()).doesNotContain("start_refused");
    }

    private static JsonObject push(String queue) {
        return new JsonObject()
                .put(
                        "items",
                        new JsonArray().add(new JsonObject().put("queue", queue).put("payload", 1)));
    }

    private Map<String, String> environment(TestPostgres postgres) {
        Map<String, String> environment = new HashMap<>(postgres.environment());
        environment.put("FILE_BUFFER_DIR", directory.resolve("buffers").toString());
        return environment;
    }

    private List<Path> segments() throws Exception {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(path -> path.toString().endsWith(".segment")).toList();
        }
    }
}
