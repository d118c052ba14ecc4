package io.queen.admin.maintenance;

import static io.queen.testing.Client.post;
import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.isA;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class MaintenanceResourceTest {
    private static final String PUSH = "/api/v1/system/maintenance";
    private static final String POP = "/api/v1/system/maintenance/pop";

    private final String queue = Pops.queue();

    @AfterEach
    void off() {
        post(PUSH, "{\"enabled\":false}").statusCode(200);
        post(POP, "{\"enabled\":false}").statusCode(200);
    }

    @Test
    void modes_switched_areIndependentAndToldAtOnce() {
        given().get(PUSH)
                .then()
                .statusCode(200)
                .body("maintenanceMode", equalTo(false))
                .body("popMaintenanceMode", equalTo(false))
                .body("bufferedMessages", isA(Integer.class))
                .body("bufferHealthy", equalTo(true))
                .body("bufferStats.pendingCount", isA(Integer.class))
                .body("bufferStats.failedFiles.totalBytes", isA(Integer.class));
        post(PUSH, "{\"enabled\":true}")
                .statusCode(200)
                .body("maintenanceMode", equalTo(true))
                .body("bufferHealthy", isA(Boolean.class))
                .body("message", isA(String.class));
        given().get(POP).then().statusCode(200).body("popMaintenanceMode", equalTo(false));
        post(POP, "{\"enabled\":true}").statusCode(200).body("popMaintenanceMode", equalTo(true));
        given().get(PUSH).then().body("maintenanceMode", equalTo(true)).body("popMaintenanceMode", equalTo(true));
        post(PUSH, "{\"enabled\":false}").body("maintenanceMode", equalTo(false));
        given().get(POP).then().body("popMaintenanceMode", equalTo(true));
        given().get("/api/v1/system/shared-state").then().body("pop_maintenance_mode", equalTo(true));
    }

    @Test
    void pop_paused_isEmptyAtOnceAndGoesOnAfterwards() {
        Pops.push(queue, "p", 1);
        post(POP, "{\"enabled\":true}").statusCode(200);
        assertPaused(pop(queue));
        assertPaused(pop(queue, "wait", true, "timeout", 120_000));
        assertPaused(Pops.popPartition(queue, "p", "wait", true, "timeout", 120_000));
        assertPaused(given().queryParam("namespace", queue).get("/api/v1/pop"));
        post(POP, "{\"enabled\":false}").statusCode(200);
        assertThat(data(pop(queue))).containsExactly(1);
    }

    @Test
    void pop_waiting_isAnsweredWhenPaused() {
        List<CompletableFuture<Response>> waiters = Stream.<Supplier<Response>>of(
                        () -> pop(queue, "wait", true, "timeout", 100_000),
                        () -> pop(queue, "wait", true, "timeout", 100_000),
                        () -> Pops.popPartition(queue, "p", "wait", true, "timeout", 100_000),
                        () -> given().queryParam("namespace", queue)
                                .queryParam("wait", true)
                                .queryParam("timeout", 100_000)
                                .get("/api/v1/pop"))
                .map(pop -> CompletableFuture.supplyAsync(pop, Parallel.THREADS))
                .toList();
        await().atMost(Duration.ofSeconds(30)).until(() -> Pops.parked() >= waiters.size());
        post(POP, "{\"enabled\":true}").statusCode(200);
        for (CompletableFuture<Response> waiter : waiters) {
            assertPaused(waiter.orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void pop_pausedElsewhere_isNoticed() {
        try (Sql sql = Sql.open()) {
            sql.run("select queen.set_maintenance_v1('pop_maintenance_mode', true)");
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> pop(queue).statusCode() == 200);
        assertPaused(pop(queue));
    }

    private static void assertPaused(Response response) {
        response.then()
                .statusCode(200)
                .body("success", equalTo(true))
                .body("paused", equalTo(true))
                .body("messages", empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"enabled\":null}", "{\"enabled\":\"true\"}", "{\"enabled\":1}"})
    void switch_notABoolean_is400(String body) {
        post(PUSH, body).statusCode(400).body("field", equalTo("enabled"));
        post(POP, body).statusCode(400).body("field", equalTo("enabled"));
    }
}
