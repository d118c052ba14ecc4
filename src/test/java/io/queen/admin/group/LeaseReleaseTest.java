package io.queen.admin.group;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@QuarkusTest
class LeaseReleaseTest {
    private final String queue = Pops.queue();

    private ValidatableResponse release(String partition) {
        return given().post("/api/v1/consumer-groups/g/queues/" + queue + "/partitions/" + partition + "/release")
                .then();
    }

    private Response popNamed() {
        return given().header("X-Queen-Consumer", "worker-1")
                .queryParam("consumerGroup", "g")
                .queryParam("batch", 10)
                .get("/api/v1/pop/queue/" + queue);
    }

    @Test
    void release_held_tellsTheHolderAndGivesTheMessagesAgain() {
        push(queue, "p", 1, 2);
        Response popped = popNamed();
        assertThat(pop(queue, "consumerGroup", "g").statusCode()).isEqualTo(204);
        release("p")
                .statusCode(200)
                .body("released", equalTo(true))
                .body("leaseId", equalTo(Pops.message(popped, 0).getString("leaseId")))
                .body("holder.name", equalTo("worker-1"))
                .body("holder.address", notNullValue())
                .body("expiresAt", notNullValue())
                .body("remainingMillis", greaterThan(0));
        Response again = pop(queue, "consumerGroup", "g", "batch", 10);
        assertThat(data(again)).containsExactly(1, 2);
        assertThat(Pops.message(again, 0).getInteger("retryCount")).isZero();
    }

    /** The cursor is where the new holder's acks put it, whatever the old one still says. */
    @Test
    void ack_byTheOldHolder_isRefused() {
        push(queue, "p", 1, 2);
        JsonObject old = Pops.message(popNamed(), 0);
        release("p").statusCode(200);
        Response fresh = pop(queue, "consumerGroup", "g", "batch", 1);
        given().contentType("application/json")
                .body(new JsonObject()
                        .put("transactionId", "t2")
                        .put("partitionId", old.getString("partitionId"))
                        .put("leaseId", old.getString("leaseId"))
                        .put("consumerGroup", "g")
                        .put("status", "completed")
                        .encode())
                .post("/api/v1/ack")
                .then()
                .body("[0].success", equalTo(false));
        given().post("/api/v1/lease/" + old.getString("leaseId") + "/extend")
                .then()
                .statusCode(404);
        Pops.ack(fresh, "completed");
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(2);
    }

    @Test
    void release_held_wakesAPopThatWaits() {
        push(queue, "p", 1);
        popNamed();
        int before = Pops.parked();
        CompletableFuture<Response> waiter = Pops.waiting(queue, "consumerGroup", "g");
        await().atMost(Duration.ofSeconds(30)).until(() -> Pops.parked() > before);
        release("p").statusCode(200);
        assertThat(data(waiter.orTimeout(15, TimeUnit.SECONDS).join())).containsExactly(1);
    }

    @Test
    void release_nobodyHoldsIt_isNoError() {
        push(queue, "p", 1);
        release("p")
                .statusCode(200)
                .body("released", equalTo(false))
                .body("holder", nullValue())
                .body("remainingMillis", nullValue());
    }

    @Test
    void release_unknownPartition_is404() {
        release("nowhere").statusCode(404).body("code", equalTo("PARTITION_NOT_FOUND"));
    }
}
