package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers on one database are one queue. */
class TwoServersProcessTest {
    private static Map<String, String> environment;
    private static ServerProcess a;
    private static ServerProcess b;

    private final String queue = "two-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("two_servers");
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

    private JsonObject pop(ServerProcess server, String query) throws Exception {
        HttpResponse<String> response = server.get("/api/v1/pop/queue/" + queue + "?" + query);
        return response.statusCode() == 204 ? null : new JsonObject(response.body());
    }

    private static List<Object> data(JsonObject popped) {
        List<Object> data = new ArrayList<>();
        if (popped != null) {
            popped.getJsonArray("messages").forEach(message -> data.add(((JsonObject) message).getValue("data")));
        }
        return data;
    }

    private static void ack(ServerProcess server, JsonObject popped, String status) throws Exception {
        JsonObject message = popped.getJsonArray("messages").getJsonObject(0);
        JsonObject ack = new JsonObject()
                .put("transactionId", message.getString("transactionId"))
                .put("partitionId", message.getString("partitionId"))
                .put("leaseId", message.getString("leaseId"))
                .put("status", status);
        JsonArray results = new JsonArray(server.post("/api/v1/ack", ack).body());
        assertThat(results.getJsonObject(0).getBoolean("success")).isTrue();
    }

    @Test
    void push_onOne_isVisibleToAnImmediatePopOnTheOther() throws Exception {
        for (int i = 0; i < 20; i++) {
            (i % 2 == 0 ? a : b).push(queue, "p" + i % 3, i);
            assertThat(data(pop(i % 2 == 0 ? b : a, "autoAck=true"))).containsExactly(i);
        }
    }

    @Test
    void ack_onTheOther_completesAndFreesThePartitionForBoth() throws Exception {
        a.push(queue, "p", 1, 2, 3, 4);
        for (int i = 1; i <= 4; i++) {
            JsonObject popped = pop(a, "");
            assertThat(data(popped)).containsExactly(i);
            assertThat(data(pop(b, ""))).isEmpty();
            ack(b, popped, "completed");
        }
        assertThat(data(pop(a, ""))).isEmpty();
    }

    @Test
    void failedAck_onTheOther_isRedeliveredHere() throws Exception {
        a.push(queue, "p", 1);
        JsonObject popped = pop(a, "");
        ack(b, popped, "failed");
        assertThat(data(pop(a, ""))).containsExactly(1);
    }

    @Test
    void pushAfterAnAckElsewhere_isPoppedHere() throws Exception {
        a.push(queue, "p", 1);
        ack(b, pop(a, ""), "completed");
        a.push(queue, "p", 2);
        assertThat(data(pop(a, ""))).containsExactly(2);
    }

    @Test
    void renew_onTheOther_keepsTheLease() throws Exception {
        JsonObject options = new JsonObject().put("leaseTime", 1);
        a.post("/api/v1/configure", new JsonObject().put("queue", queue).put("options", options));
        a.push(queue, "p", 1);
        JsonObject popped = pop(a, "");
        HttpResponse<String> renewed =
                b.post("/api/v1/lease/" + popped.getString("leaseId") + "/extend", new JsonObject().put("seconds", 60));
        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(data(pop(a, "wait=true&timeout=1500"))).isEmpty();
        ack(b, popped, "completed");
    }

    @Test
    void longPoll_pushOnTheOther_wakes() throws Exception {
        a.push(queue, "warm", 0);
        assertThat(data(pop(b, "autoAck=true"))).containsExactly(0);
        CompletableFuture<JsonObject> waiter = waiting(b);
        a.push(queue, "p", 1);
        assertThat(data(waiter.get(10, TimeUnit.SECONDS))).containsExactly(1);
    }

    @Test
    void longPoll_leaseEndedOnTheOther_wakes() throws Exception {
        a.push(queue, "p", 1, 2);
        JsonObject popped = pop(a, "");
        CompletableFuture<JsonObject> waiter = waiting(b);
        ack(a, popped, "completed");
        assertThat(data(waiter.get(10, TimeUnit.SECONDS))).containsExactly(2);
    }

    @Test
    void delayedMessage_waitingOnBothAndRestarted_comesWhenItIsDueAndOnce() throws Exception {
        a.push(new JsonObject().put("queue", queue).put("payload", 1).put("delaySeconds", 4));
        a.push(new JsonObject().put("queue", queue).put("payload", 2));
        CompletableFuture<JsonObject> onB = waiting(b);
        a.close();
        a = ServerProcess.start(environment).awaitReady();
        CompletableFuture<JsonObject> onA = waiting(a);
        JsonObject first = (JsonObject) CompletableFuture.anyOf(onA, onB).get(20, TimeUnit.SECONDS);
        assertThat(data(first)).containsExactly(1);
        String due = first.getJsonArray("messages").getJsonObject(0).getString("deliverAt");
        assertThat(OffsetDateTime.now(ZoneOffset.UTC)).isAfterOrEqualTo(OffsetDateTime.parse(due));
        ack(a, first, "completed");
        assertThat(data((onA.isDone() ? onB : onA).get(20, TimeUnit.SECONDS))).containsExactly(2);
    }

    @Test
    void delayedMessage_deletedOnTheOther_wakesWhoWaitsForTheNext() throws Exception {
        JsonObject delayed =
                new JsonObject().put("queue", queue).put("transactionId", "t").put("payload", 1);
        JsonArray pushed =
                new JsonArray(a.push(delayed.put("delaySeconds", 600)).body());
        a.push(new JsonObject().put("queue", queue).put("payload", 2));
        CompletableFuture<JsonObject> waiter = waiting(b);
        a.delete("/api/v1/messages/" + pushed.getJsonObject(0).getString("partition_id") + "/t");
        assertThat(data(waiter.get(10, TimeUnit.SECONDS))).containsExactly(2);
    }

    private CompletableFuture<JsonObject> waiting(ServerProcess server) throws Exception {
        int before = server.parked();
        CompletableFuture<JsonObject> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                return pop(server, "wait=true&timeout=8000");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        org.awaitility.Awaitility.await().until(() -> server.parked() > before);
        return waiter;
    }
}
