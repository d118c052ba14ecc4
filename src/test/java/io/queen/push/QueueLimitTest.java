package io.queen.push;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues with {@code maxSize}. */
@QuarkusTest
class QueueLimitTest {
    private final String queue = Pops.queue();

    @BeforeEach
    void limit() {
        Pops.configure(queue, Map.of("maxSize", 3));
    }

    @Test
    void push_beyondTheLimit_isRefusedItemByItem() {
        String other = Pops.queue();
        push(of("a"), of("b"), item(other, "p", "x", "1"), of("c"), of("d"), item(other, "p", "y", "1"))
                .statusCode(201)
                .body("status", contains("queued", "queued", "queued", "queued", "failed", "queued"))
                .body("[4].error", equalTo("queue " + queue + " would exceed its max capacity of 3"))
                .body("[4].transactionId", equalTo("d"))
                .body("[4].message_id", nullValue())
                .body("[4].queue", equalTo(queue))
                .body("[0].error", nullValue());
        assertThat(transactionIds(Pops.pop(queue, "batch", 10))).containsExactly("a", "b", "c");
        assertThat(transactionIds(Pops.pop(other, "batch", 10))).containsExactly("x", "y");
    }

    @Test
    void push_duplicateInAFullQueue_isADuplicate() {
        push(of("a"), of("b"), of("c")).statusCode(201);
        push(of("a"), of("d"), of("d")).body("status", contains("duplicate", "failed", "failed"));
    }

    @Test
    void push_afterAnAck_hasRoomAgain() {
        push(of("a"), of("b"), of("c")).statusCode(201);
        Pops.ack(Pops.pop(queue, "batch", 2), "completed");
        push(of("d"), of("e"), of("f")).body("status", contains("queued", "queued", "failed"));
    }

    @Test
    void push_twoGroups_theSlowerOneCounts() {
        push(of("a"), of("b"), of("c")).statusCode(201);
        Pops.ack(Pops.pop(queue, "batch", 1, "consumerGroup", "slow"), "completed");
        Pops.ack(Pops.pop(queue, "batch", 3, "consumerGroup", "quick"), "completed");
        push(of("d"), of("e")).body("status", contains("queued", "failed"));
    }

    @Test
    void push_fromManyClientsAtOnce_neverExceeds() {
        Pops.configure(queue, Map.of("maxSize", 20));
        List<CompletableFuture<List<String>>> pushes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String partition = "p" + i % 4;
            String id = "t" + i;
            pushes.add(CompletableFuture.supplyAsync(
                    () -> push(item(queue, partition, id, "1"))
                            .extract()
                            .jsonPath()
                            .getList("status"),
                    Parallel.THREADS));
        }
        assertThat(pushes.stream().flatMap(each -> each.join().stream()))
                .filteredOn("queued"::equals)
                .hasSize(20);
    }

    @Test
    void push_limitRaisedAndLowered_countsAtOnce() {
        push(of("a"), of("b"), of("c"), of("d")).body("status", hasItem("failed"));
        Pops.configure(queue, Map.of("maxSize", 5));
        push(of("d")).body("status", contains("queued"));
        Pops.configure(queue, Map.of("maxSize", 1));
        push(of("e")).body("status", contains("failed"));
        Pops.configure(queue, Map.of());
        push(of("e")).body("status", contains("queued"));
    }

    @Test
    void transaction_intoAFullQueue_appliesNothing() {
        push(of("a"), of("b"), of("c")).statusCode(201);
        String other = Pops.queue();
        transaction(other, queue)
                .body("success", equalTo(false))
                .body("error", equalTo("queue " + queue + " would exceed its max capacity of 3"));
        assertThat(Pops.pop(other).statusCode()).isEqualTo(204);
        transaction(other, other).body("success", equalTo(true)).body("results[1].messageId", notNullValue());
    }

    private static ValidatableResponse transaction(String first, String second) {
        return post(
                        "/api/v1/transaction",
                        "{\"operations\":[{\"type\":\"push\",\"queue\":\"%s\",\"payload\":1},{\"type\":\"push\",\"queue\":\"%s\"}]}"
                                .formatted(first, second))
                .statusCode(200);
    }

    private String of(String transactionId) {
        return item(queue, "p", transactionId, "1");
    }

    private static List<String> transactionIds(Response popped) {
        return popped.jsonPath().getList("messages.transactionId");
    }
}
