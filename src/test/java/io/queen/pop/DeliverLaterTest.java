package io.queen.pop;

import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Maintenance;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are delivered later, over HTTP: pops that wait are answered when it is time. */
@QuarkusTest
class DeliverLaterTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Pops.queue();

    private String item(int number, String more) {
        return "{\"queue\":\"%s\",\"partition\":\"p\",\"transactionId\":\"t%d\",\"payload\":%d%s}"
                .formatted(queue, number, number, more);
    }

    /** It was not given before its time. */
    private static void isOnTime(Response response) {
        JsonObject message = Pops.message(response, 0);
        assertThat(OffsetDateTime.now(ZoneOffset.UTC))
                .isAfterOrEqualTo(OffsetDateTime.parse(message.getString("deliverAt")));
    }

    @Test
    void pop_beforeItsTime_endsBeforeIt() {
        push(item(1, ""), item(2, ",\"delaySeconds\":600"), item(3, "")).statusCode(201);
        assertThat(Pops.data(Pops.pop(queue, "batch", 10, "autoAck", true))).containsExactly(1);
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).isEmpty();
        assertThat(Pops.data(Pops.popPartition(queue, "p", "batch", 10))).isEmpty();
        assertThat(Pops.data(Pops.pop(queue, "batch", 10, "consumerGroup", "another")))
                .containsExactly(1);
    }

    @Test
    void wildcardPop_waiting_getsItWhenItIsDue() {
        CompletableFuture<Response> waiting = Pops.waiting(queue, "batch", 10);
        push(item(1, ",\"delaySeconds\":1.5"), item(2, "")).statusCode(201);
        Response popped = waiting.join();
        assertThat(Pops.data(popped)).containsExactly(1, 2);
        isOnTime(popped);
    }

    @Test
    void partitionPop_waiting_getsItWhenItIsDue() {
        push(item(1, ",\"delaySeconds\":1.5")).statusCode(201);
        Response popped = Pops.popPartition(queue, "p", "wait", true, "timeout", 10_000);
        assertThat(Pops.data(popped)).containsExactly(1);
        isOnTime(popped);
    }

    @Test
    void namespacePop_waiting_getsItWhenItIsDue() {
        String namespace = Partitions.name("later");
        Pops.configure(queue, namespace, "", Map.of());
        push(item(1, ",\"delaySeconds\":1.5")).statusCode(201);
        Response popped = given().queryParams(Pops.query("namespace", namespace, "wait", true, "timeout", 10_000))
                .get("/api/v1/pop");
        assertThat(Pops.data(popped)).containsExactly(1);
        isOnTime(popped);
    }

    @Test
    void transaction_withATime_isDeliveredThen() {
        String flat = "{\"type\":\"push\",\"queue\":\"%s\",\"payload\":1,\"delaySeconds\":1}".formatted(queue);
        post("/api/v1/transaction", "{\"operations\":[" + flat + "]}").statusCode(200);
        assertThat(Pops.data(Pops.pop(queue))).isEmpty();
        isOnTime(Pops.waiting(queue).join());
    }

    @Test
    void buffered_withADelay_keepsTheTimeOfItsPush() {
        Maintenance.push(true);
        push(item(1, ",\"delaySeconds\":1")).body("[0].status", equalTo("buffered"));
        OffsetDateTime latest = OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(1);
        Maintenance.push(false);
        JsonObject message = Pops.message(Pops.waiting(queue).join(), 0);
        assertThat(OffsetDateTime.parse(message.getString("deliverAt"))).isBeforeOrEqualTo(latest);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void delete_theOneThatWaits_wakesWhoWaitsForTheNext(boolean wildcard) {
        push(item(1, ",\"deliverAt\":\"2031-01-01T00:00:00Z\""), item(2, "")).statusCode(201);
        assertThat(Pops.data(Pops.pop(queue))).isEmpty();
        CompletableFuture<Response> waiting = wildcard
                ? Pops.waiting(queue)
                : CompletableFuture.supplyAsync(
                        () -> Pops.popPartition(queue, "p", "wait", true, "timeout", 10_000), Parallel.THREADS);
        given().delete("/api/v1/messages/" + partitions.id(queue, "p") + "/t1")
                .then()
                .body("success", equalTo(true));
        assertThat(Pops.data(waiting.join())).containsExactly(2);
    }

    @Test
    void groupDetail_partitionThatWaits_saysUntilWhen() {
        push(item(1, ",\"deliverAt\":\"2031-01-01T00:00:00Z\"")).statusCode(201);
        Pops.popPartition(queue, "p", "consumerGroup", queue);
        given().get("/api/v1/consumer-groups/" + queue)
                .then()
                .body("'" + queue + "'.partitions[0].waitsUntil", equalTo("2031-01-01T00:00:00.000Z"))
                .body("'" + queue + "'.partitions[0].timeLagSeconds", equalTo(0))
                .body("'" + queue + "'.health", notNullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"delaySeconds\":-1",
                ",\"delaySeconds\":315360001",
                ",\"deliverAt\":\"soon\"",
                ",\"delaySeconds\":1,\"deliverAt\":\"2031-01-01T00:00:00Z\""
            })
    void push_wrongTime_is400(String wrong) {
        push(item(1, wrong)).statusCode(400).body("code", equalTo("INVALID_FIELD"));
    }
}
