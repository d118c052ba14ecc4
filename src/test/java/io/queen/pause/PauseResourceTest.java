package io.queen.pause;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Groups;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class PauseResourceTest {
    private static final Duration EVENTUALLY = Duration.ofSeconds(30);

    private final String queue = Pops.queue();

    @AfterEach
    void delete() {
        given().delete("/api/v1/resources/queues/" + queue).then().statusCode(200);
    }

    private String path(String group) {
        return group == null
                ? "/api/v1/queues/" + queue + "/pause"
                : "/api/v1/consumer-groups/" + group + "/queues/" + queue + "/pause";
    }

    private ValidatableResponse pause(String group) {
        return given().post(path(group)).then();
    }

    private ValidatableResponse resume(String group) {
        return given().delete(path(group)).then();
    }

    private static void assertPaused(Response response) {
        response.then()
                .statusCode(200)
                .body("success", equalTo(true))
                .body("paused", equalTo(true))
                .body("messages", empty());
    }

    @Test
    void queue_paused_givesNothingUntilItIsResumed() {
        push(queue, "p", 1);
        pause(null)
                .statusCode(200)
                .body("queue", equalTo(queue))
                .body("consumerGroup", nullValue())
                .body("paused", equalTo(true))
                .body("changed", equalTo(true))
                .body("pausedAt", notNullValue());
        assertPaused(pop(queue));
        assertPaused(pop(queue, "consumerGroup", "g", "autoAck", true));
        assertPaused(Pops.popPartition(queue, "p"));
        push(queue, "p", 2);
        resume(null).statusCode(200).body("paused", equalTo(false)).body("changed", equalTo(true));
        assertThat(data(pop(queue, "batch", 10))).containsExactly(1, 2);
    }

    @Test
    void group_pausedBeforeItExists_leavesOthersAlone() {
        push(queue, "p", 1);
        pause("g").statusCode(200).body("consumerGroup", equalTo("g"));
        assertPaused(pop(queue, "consumerGroup", "g"));
        assertThat(data(pop(queue, "consumerGroup", "other"))).containsExactly(1);
        assertThat(data(pop(queue))).containsExactly(1);
        resume("g").statusCode(200);
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(1);
    }

    @Test
    void pause_again_changesNothing() {
        push(queue, "p", 1);
        String since = pause(null).extract().path("pausedAt");
        pause(null).statusCode(200).body("changed", equalTo(false)).body("pausedAt", equalTo(since));
        resume(null).body("changed", equalTo(true));
        resume(null).statusCode(200).body("changed", equalTo(false)).body("pausedAt", nullValue());
    }

    @Test
    void pause_unknownQueue_is404() {
        pause(null).statusCode(404).body("code", equalTo("QUEUE_NOT_FOUND"));
        resume("g").statusCode(404).body("code", equalTo("QUEUE_NOT_FOUND"));
    }

    @Test
    void wait_paused_lastsToItsDeadlineAndSaysSo() {
        push(queue, "p", 1);
        pause(null).statusCode(200);
        long start = System.nanoTime();
        assertPaused(pop(queue, "wait", true, "timeout", 600));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(595));
    }

    @Test
    void wait_pausedMeanwhile_saysSoAtItsDeadline() {
        Pops.configure(queue, Map.of());
        CompletableFuture<Response> waiter = parked("timeout", 3000);
        pause(null).statusCode(200);
        assertPaused(waiter.orTimeout(20, TimeUnit.SECONDS).join());
    }

    @Test
    void wait_resumed_wakes() {
        pauseWithMessages();
        CompletableFuture<Response> any = parked();
        CompletableFuture<Response> one = CompletableFuture.supplyAsync(
                () -> Pops.popPartition(queue, "p", "wait", true, "timeout", 20_000, "consumerGroup", "other"),
                Parallel.THREADS);
        CompletableFuture<Response> matching = CompletableFuture.supplyAsync(
                () -> given().queryParam("namespace", queue)
                        .queryParam("consumerGroup", "third")
                        .queryParam("wait", true)
                        .queryParam("timeout", 20_000)
                        .get("/api/v1/pop"),
                Parallel.THREADS);
        await().atMost(EVENTUALLY).untilAsserted(() -> assertThat(waiting()).containsOnlyKeys("g", "other", "third"));
        resume(null).statusCode(200);
        for (CompletableFuture<Response> waiter : List.of(any, one, matching)) {
            assertThat(data(waiter.orTimeout(20, TimeUnit.SECONDS).join())).containsExactly(1);
        }
    }

    private void pauseWithMessages() {
        Pops.configure(queue, queue, "", Map.of());
        push(queue, "p", 1);
        pause(null).statusCode(200);
    }

    /** The groups of the queue with pops that wait, as the database knows them. */
    private Map<String, Integer> waiting() {
        List<Map<String, Object>> groups = given().queryParam("limit", 10_000)
                .get("/api/v1/consumer-groups")
                .jsonPath()
                .getList("findAll { it.queueName == '" + queue + "' && it.waiting > 0 }");
        return groups.stream().collect(java.util.stream.Collectors.toMap(each -> (String) each.get("name"), each ->
                (Integer) each.get("waiting")));
    }

    private CompletableFuture<Response> parked(Object... query) {
        List<Object> all = new java.util.ArrayList<>(List.of("wait", true, "timeout", 20_000, "consumerGroup", "g"));
        all.addAll(List.of(query));
        int before = Pops.parked();
        CompletableFuture<Response> waiter =
                CompletableFuture.supplyAsync(() -> pop(queue, all.toArray()), Parallel.THREADS);
        await().atMost(EVENTUALLY).until(() -> Pops.parked() > before);
        return waiter;
    }

    @Test
    void matching_onePaused_getsTheOthers() {
        String other = queue + "-other";
        Pops.configure(other, queue, "", Map.of());
        pauseWithMessages();
        push(other, "p", 2);
        Response popped =
                given().queryParam("namespace", queue).queryParam("batch", 10).get("/api/v1/pop");
        assertThat(data(popped)).containsExactly(2);
        given().delete("/api/v1/resources/queues/" + other).then().statusCode(200);
        assertPaused(given().queryParam("namespace", queue).get("/api/v1/pop"));
    }

    @Test
    void lease_takenBefore_isRenewedAndAcked() {
        push(queue, "p", 1);
        Response popped = pop(queue);
        pause(null).statusCode(200);
        given().post("/api/v1/lease/" + Pops.message(popped, 0).getString("leaseId") + "/extend")
                .then()
                .statusCode(200);
        Pops.ack(popped, "completed");
        resume(null).statusCode(200);
        assertThat(pop(queue).statusCode()).isEqualTo(204);
    }

    @Test
    void pause_inForce_isShownInLists() {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "consumerGroup", "g", "autoAck", true))).containsExactly(1);
        pause(null).statusCode(200);
        pause("later").statusCode(200);
        given().get("/api/v1/resources/queues/" + queue).then().body("paused", equalTo(true));
        given().get("/api/v1/status/queues/" + queue).then().body("queue.paused", equalTo(true));
        given().queryParam("limit", 1000)
                .get("/api/v1/resources/queues")
                .then()
                .body("queues.find { it.name == '" + queue + "' }.paused", equalTo(true));
        given().queryParam("queue", queue).get("/api/v1/status").then().body("queues[0].paused", equalTo(true));
        given().get("/api/v1/consumer-groups/g")
                .then()
                .body("'" + queue + "'.paused", equalTo(true))
                .body("'" + queue + "'.health", equalTo("paused"));
        assertThat(given().get("/api/v1/pauses")
                        .jsonPath()
                        .getList("pauses.findAll { it.queue == '" + queue + "' }.consumerGroup"))
                .containsExactly(null, "later");
        assertThat(given().get("/metrics/prometheus").asString().replace("\",}", "\"}"))
                .contains("queen_paused{group=\"\",queue=\"" + queue + "\"} 1.0")
                .contains("queen_paused{group=\"later\",queue=\"" + queue + "\"} 1.0");
    }

    @Test
    void delete_group_endsItsPause() {
        push(queue, "p", 1);
        pause("g").statusCode(200);
        Groups.delete("g/queues/" + queue).statusCode(200);
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(1);
    }

    @Test
    void delete_queue_endsItsPause() {
        push(queue, "p", 1);
        pause(null).statusCode(200);
        delete();
        push(queue, "p", 2);
        assertThat(data(pop(queue))).containsExactly(2);
    }

    @Test
    void pause_elsewhere_isNoticed() {
        push(queue, "p", 1);
        try (Sql sql = Sql.open()) {
            sql.run("select queen.pause_v1(?, null)", queue);
        }
        await().atMost(EVENTUALLY).untilAsserted(() -> assertPaused(pop(queue, "consumerGroup", "g")));
    }

    /** However many clients ask, PostgreSQL does not hear of it. Other tests may have left pops that look for themselves. */
    @Test
    void pop_paused_isNoWorkForTheSidecar() {
        push(queue, "p", 1);
        pause(null).statusCode(200);
        await().atMost(EVENTUALLY).until(() -> {
            long before = sidecarPops();
            for (int i = 0; i < 20; i++) {
                assertPaused(pop(queue, "consumerGroup", "g" + i));
            }
            return sidecarPops() == before;
        });
    }

    private static long sidecarPops() {
        return given().get("/metrics").jsonPath().getLong("sidecar.operations.pop.count");
    }

    @Test
    void sql_paused_getsNothing() {
        push(queue, "p", 1);
        pause(null).statusCode(200);
        try (Sql sql = Sql.open()) {
            assertThat(sql.text("select queen.pop_messages_v2(?) ->> 'paused'", queue))
                    .isEqualTo("true");
        }
    }
}
