package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an operator does through one server counts on the other. */
class TwoServersAdminProcessTest {
    private static final Duration EVENTUALLY = Duration.ofSeconds(60);

    private static Map<String, String> environment;
    private static ServerProcess a;
    private static ServerProcess b;

    private final String queue = "admin-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("two_servers_admin");
        environment = postgres.environment();
        a = ServerProcess.start(environment).awaitReady();
        b = ServerProcess.start(environment).awaitReady();
    }

    @AfterAll
    static void stop() {
        for (ServerProcess server : List.of(a, b)) {
            server.close();
        }
    }

    private HttpResponse<String> pop(ServerProcess server, String query) {
        try {
            return server.get("/api/v1/pop/queue/" + queue + "?consumerGroup=g&" + query);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object first(HttpResponse<String> popped) {
        assertThat(popped.statusCode()).isEqualTo(200);
        return new JsonObject(popped.body())
                .getJsonArray("messages")
                .getJsonObject(0)
                .getValue("data");
    }

    private CompletableFuture<HttpResponse<String>> waitingOnB() throws Exception {
        int before = b.parked();
        CompletableFuture<HttpResponse<String>> waiter =
                CompletableFuture.supplyAsync(() -> pop(b, "wait=true&timeout=25000&autoAck=true"));
        await().atMost(EVENTUALLY).until(() -> b.parked() > before);
        return waiter;
    }

    @Test
    void seek_onOne_wakesAPopThatWaitsOnTheOther() throws Exception {
        a.push(queue, "p", 1);
        assertThat(first(pop(b, "autoAck=true"))).isEqualTo(1);
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        JsonObject sought = new JsonObject(a.post(
                        "/api/v1/consumer-groups/g/queues/" + queue + "/seek",
                        new JsonObject().put("timestamp", "1970-01-01T00:00:00Z"))
                .body());
        assertThat(sought.getInteger("partitionsUpdated")).isEqualTo(1);
        assertThat(first(waiter.get(60, TimeUnit.SECONDS))).isEqualTo(1);
    }

    @Test
    void redrive_onOne_wakesAPopThatWaitsOnTheOther() throws Exception {
        a.push(queue, "p", 1);
        JsonObject popped = new JsonObject(pop(a, "").body());
        JsonObject message = popped.getJsonArray("messages").getJsonObject(0);
        a.post(
                "/api/v1/ack",
                new JsonObject()
                        .put("transactionId", message.getString("transactionId"))
                        .put("partitionId", message.getString("partitionId"))
                        .put("leaseId", message.getString("leaseId"))
                        .put("consumerGroup", "g")
                        .put("status", "dlq"));
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        JsonObject redriven = new JsonObject(
                a.post("/api/v1/dlq/redrive?queue=" + queue, new JsonObject()).body());
        assertThat(redriven.getInteger("redriven")).isEqualTo(1);
        assertThat(first(waiter.get(60, TimeUnit.SECONDS))).isEqualTo(1);
    }

    @Test
    void deleteGroup_onOne_startsItAnewOnTheOther() throws Exception {
        a.push(queue, "p", 1);
        assertThat(first(pop(b, "autoAck=true"))).isEqualTo(1);
        assertThat(pop(b, "").statusCode()).isEqualTo(204);
        assertThat(a.delete("/api/v1/consumer-groups/g/queues/" + queue).statusCode())
                .isEqualTo(200);
        assertThat(first(pop(b, "autoAck=true"))).isEqualTo(1);
    }

    @Test
    void popMaintenance_onOne_countsOnTheOther() throws Exception {
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        setPopMaintenance(true);
        JsonObject answer = new JsonObject(waiter.get(60, TimeUnit.SECONDS).body());
        assertThat(answer.getBoolean("paused")).isTrue();
        assertThat(answer.getJsonArray("messages")).isEmpty();
        setPopMaintenance(false);
        await().atMost(EVENTUALLY).until(() -> pop(b, "").statusCode() == 204);
    }

    private static void setPopMaintenance(boolean enabled) throws Exception {
        assertThat(a.post("/api/v1/system/maintenance/pop", new JsonObject().put("enabled", enabled))
                        .statusCode())
                .isEqualTo(200);
    }

    private static JsonObject ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new JsonObject(response.body());
    }

    /** Popped on B until it says so, which may take what is there from the group; how long that took. */
    private Duration untilPaused(boolean paused, String group) {
        long start = System.nanoTime();
        await().atMost(EVENTUALLY)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> b.get("/api/v1/pop/queue/" + queue + "?consumerGroup=" + group)
                                .body()
                                .contains("\"paused\":true")
                        == paused);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void pause_onOne_isHeardByTheOtherWithinASecond() throws Exception {
        a.push(queue, "p", 1);
        ok(a.post("/api/v1/consumer-groups/g/queues/" + queue + "/pause", new JsonObject()));
        assertThat(untilPaused(true, "g")).isLessThan(Duration.ofSeconds(1));
        ok(a.delete("/api/v1/consumer-groups/g/queues/" + queue + "/pause"));
        assertThat(untilPaused(false, "g")).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void resume_onOne_wakesAPopThatWaitsOnTheOther() throws Exception {
        a.push(queue, "p", 1);
        ok(a.post("/api/v1/queues/" + queue + "/pause", new JsonObject()));
        untilPaused(true, "others");
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        ok(a.delete("/api/v1/queues/" + queue + "/pause"));
        assertThat(first(waiter.get(60, TimeUnit.SECONDS))).isEqualTo(1);
    }

    @Test
    void pause_restartedServer_keepsToIt() throws Exception {
        a.push(queue, "p", 1);
        ok(a.post("/api/v1/queues/" + queue + "/pause", new JsonObject()));
        try (ServerProcess fresh = ServerProcess.start(environment).awaitReady()) {
            assertThat(pop(fresh, "").body()).contains("\"paused\":true");
        }
    }

    @Test
    void group_withAPopThatWaitsOnTheOther_isNotDead() throws Exception {
        a.push(queue, "p", 1);
        ok(pop(a, ""));
        ok(a.post("/api/v1/consumer-groups/g/queues/" + queue + "/partitions/p/release", new JsonObject()));
        assertThat(group().getString("state")).isEqualTo("Dead");
        ok(a.post("/api/v1/queues/" + queue + "/pause", new JsonObject()));
        untilPaused(true, "others");
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        await().atMost(EVENTUALLY).until(() -> group().getString("state").equals("Stable"));
        assertThat(group().getInteger("waiting")).isEqualTo(1);
        assertThat(group().getString("health")).isEqualTo("paused");
        ok(a.delete("/api/v1/queues/" + queue + "/pause"));
        assertThat(first(waiter.get(60, TimeUnit.SECONDS))).isEqualTo(1);
    }

    /** The group as A lists it. */
    private JsonObject group() throws Exception {
        JsonArray groups = new JsonArray(a.get("/api/v1/consumer-groups").body());
        return groups.stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.getString("queueName").equals(queue))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lease_releasedOnOne_wakesAPopThatWaitsOnTheOther() throws Exception {
        a.push(queue, "p", 1);
        ok(pop(b, ""));
        CompletableFuture<HttpResponse<String>> waiter = waitingOnB();
        JsonObject released =
                ok(a.post("/api/v1/consumer-groups/g/queues/" + queue + "/partitions/p/release", new JsonObject()));
        assertThat(released.getJsonObject("holder").getString("address")).isEqualTo("127.0.0.1");
        assertThat(first(waiter.get(60, TimeUnit.SECONDS))).isEqualTo(1);
    }

    @Test
    void pushMaintenance_onOne_isToldByTheOther() throws Exception {
        for (boolean enabled : new boolean[] {true, false}) {
            a.post("/api/v1/system/maintenance", new JsonObject().put("enabled", enabled));
            await().atMost(EVENTUALLY).until(() -> sharedState(b).getBoolean("maintenance_mode") == enabled);
        }
    }

    @Test
    void sharedState_twoServers_knowEachOther() throws Exception {
        await().atMost(EVENTUALLY)
                .until(() -> sharedState(b).getJsonObject("server_health").getInteger("servers_alive") == 1);
        assertThat(sharedState(a).getString("server_id"))
                .isNotEqualTo(sharedState(b).getString("server_id"));
    }

    private static JsonObject sharedState(ServerProcess server) throws Exception {
        return new JsonObject(server.get("/api/v1/system/shared-state").body());
    }
}
