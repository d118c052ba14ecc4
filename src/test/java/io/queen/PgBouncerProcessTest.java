package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.PgBouncer;
import io.queen.testing.ServerProcess;
import io.queen.testing.Skip;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind PgBouncer in transaction mode, with fewer sessions than event loops, from an empty database on. */
class PgBouncerProcessTest {
    private static final int LANES = 8;
    private static final int MESSAGES = 25;

    @TempDir
    static Path directory;

    private static TestPostgres postgres;
    private static PgBouncer bouncer;
    private static ServerProcess a;
    private static ServerProcess b;

    @BeforeAll
    static void start() throws Exception {
        Skip.NO_PGBOUNCER.unless(PgBouncer.installed());
        postgres = TestPostgres.shared().createDatabase("bounced");
        bouncer = PgBouncer.start(postgres, directory);
        Map<String, String> environment = Map.of(
                "PG_HOST", "127.0.0.1",
                "PG_PORT", Integer.toString(bouncer.port()),
                "PG_DB", postgres.database(),
                "PG_USER", postgres.user(),
                "PG_PASSWORD", "any",
                "QUEEN_DATABASE_POOLER", "true",
                "NUM_WORKERS", "4");
        a = ServerProcess.start(environment).awaitReady();
        b = ServerProcess.start(environment).awaitReady();
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            a.close();
            b.close();
            bouncer.close();
        }
    }

    @Test
    void messages_ofManyClients_arriveOnceAndInOrder() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(2 * LANES);
        try {
            List<Future<List<Object>>> lanes = new ArrayList<>();
            List<Future<Void>> pushes = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                String partition = "p" + lane;
                ServerProcess here = lane % 2 == 0 ? a : b;
                pushes.add(clients.submit(pushing(here, partition)));
                lanes.add(clients.submit(consuming(lane % 3 == 0 ? a : b, partition)));
            }
            for (Future<Void> push : pushes) {
                push.get(120, TimeUnit.SECONDS);
            }
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                expected.add(i);
            }
            for (Future<List<Object>> lane : lanes) {
                assertThat(lane.get(120, TimeUnit.SECONDS)).isEqualTo(expected);
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(sessions()).isLessThanOrEqualTo(PgBouncer.SESSIONS);
        assertThat(a.log() + b.log()).doesNotContain("ERROR").doesNotContain("prepared statement");
    }

    @Test
    void transaction_always_appliesWhole() throws Exception {
        push(a, "source", "s", 1);
        JsonObject message = pop(b, "source", "s", "").getJsonArray("messages").getJsonObject(0);
        JsonArray operations = new JsonArray()
                .add(new JsonObject()
                        .put("type", "ack")
                        .put("transactionId", message.getString("transactionId"))
                        .put("partitionId", message.getString("partitionId")))
                .add(new JsonObject().put("type", "push").put("items", new JsonArray().add(item("target", "t", 2))));
        HttpResponse<String> answer = a.post("/api/v1/transaction", new JsonObject().put("operations", operations));
        assertThat(new JsonObject(answer.body()).getBoolean("success"))
                .as(answer.body())
                .isTrue();
        assertThat(pop(b, "target", "t", "").getJsonArray("messages")).hasSize(1);
    }

    @Test
    void longPoll_pushOnTheOther_isSeenWithoutListen() throws Exception {
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<JsonObject> waiter = client.submit(() -> pop(b, "later", "p", "wait=true&timeout=25000"));
            await().atMost(Duration.ofSeconds(30)).until(() -> b.parked() > 0);
            push(a, "later", "p", 1);
            assertThat(waiter.get(60, TimeUnit.SECONDS).getJsonArray("messages"))
                    .hasSize(1);
        } finally {
            client.shutdownNow();
        }
    }

    @Test
    void start_roleWithoutTimeouts_saysHowToSetThem() {
        a.awaitLog("alter role queen set lock_timeout = '1s'");
    }

    private static Callable<Void> pushing(ServerProcess server, String partition) {
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                push(server, "bounced", partition, i);
            }
            return null;
        };
    }

    /** Pops with a lease and acknowledges, until all have come. */
    private static Callable<List<Object>> consuming(ServerProcess server, String partition) {
        return () -> {
            List<Object> seen = new ArrayList<>();
            while (seen.size() < MESSAGES) {
                JsonObject popped = pop(server, "bounced", partition, "batch=10&wait=true&timeout=2000");
                JsonArray messages = popped == null ? new JsonArray() : popped.getJsonArray("messages");
                for (Object each : messages) {
                    seen.add(((JsonObject) each).getValue("data"));
                }
                if (!messages.isEmpty()) {
                    ack(server, messages);
                }
            }
            return seen;
        };
    }

    private static void ack(ServerProcess server, JsonArray messages) throws Exception {
        JsonArray acks = new JsonArray();
        for (Object each : messages) {
            JsonObject message = (JsonObject) each;
            acks.add(new JsonObject()
                    .put("transactionId", message.getString("transactionId"))
                    .put("partitionId", message.getString("partitionId"))
                    .put("leaseId", message.getString("leaseId")));
        }
        HttpResponse<String> answer = server.post("/api/v1/ack/batch", new JsonObject().put("acknowledgments", acks));
        assertThat(answer.body()).doesNotContain("\"success\":false");
    }

    private static void push(ServerProcess server, String queue, String partition, int number) throws Exception {
        HttpResponse<String> answer = server.push(item(queue, partition, number));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static JsonObject item(String queue, String partition, int number) {
        return new JsonObject().put("queue", queue).put("partition", partition).put("payload", number);
    }

    private static JsonObject pop(ServerProcess server, String queue, String partition, String query) throws Exception {
        HttpResponse<String> answer =
                server.get("/api/v1/pop/queue/" + queue + "/partition/" + partition + "?" + query);
        return answer.statusCode() == 204 ? null : new JsonObject(answer.body());
    }

    /** Connections to the database but the one that asks. */
    private static int sessions() throws Exception {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and pid <> pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
