package io.queen.sidecar;

import static io.queen.sidecar.HeldOutside.assertStillWaiting;
import static io.queen.sidecar.HeldOutside.stored;
import static io.queen.sidecar.HeldOutside.waiting;
import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another transaction holds something: requests that need it wait, all others on the same event loop go on. */
@QuarkusTest
@TestProfile(HeldPartitionTest.OneLoop.class)
class HeldPartitionTest {
    private static final int ROUNDS = 20;
    private static final int MAX_PER_PARTITION = 5;
    private static final String GROUP = "g";

    @AutoClose
    private final Sql sql = Sql.open();

    @AutoClose
    private final HeldOutside outside = new HeldOutside();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("held");
    private UUID held;
    private UUID free;

    /** All requests meet in one sidecar, and those that wait may do so for longer than the slowest machine takes. */
    public static final class OneLoop implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "queen.http.workers", "1",
                    "queen.database.lock-timeout", "120000",
                    "queen.sidecar.max-waiting", Integer.toString(10 * MAX_PER_PARTITION));
        }
    }

    @BeforeEach
    void fill() {
        held = partitions.push(queue, "held", 1);
        free = partitions.push(queue, "free", ROUNDS);
    }

    @Test
    void push_partitionHeldOutside_waitsInOrderAndAllElseIsAnswered() throws Exception {
        outside.push(queue, "held");
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String id = "t" + i;
            answers.add(waiting("push", i + 1, () -> pushed(item(queue, "held", id, "1"))));
        }
        everythingElseIsAnswered();
        assertStillWaiting(answers);
        outside.commit();
        for (CompletableFuture<Response> answer : answers) {
            HeldOutside.get(answer).then().statusCode(201).body("[0].status", equalTo("queued"));
        }
        assertThat(stored(sql, queue, "held")).containsExactly("m1", "outside", "t0", "t1", "t2", "t3");
        assertThat(HeldOutside.held("push")).isZero();
    }

    @Test
    void push_tooManyWaitForThePartition_is503AtOnceForThatPartitionOnly() throws Exception {
        outside.push(queue, "held");
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        for (int i = 0; i < MAX_PER_PARTITION; i++) {
            String id = "t" + i;
            answers.add(waiting("push", i + 1, () -> pushed(item(queue, "held", id, "1"))));
        }
        push(item(queue, "held", "refused", "1"))
                .statusCode(503)
                .body("code", equalTo("OVERLOADED"))
                .body("detail", containsString("Partition held of queue " + queue + " is held"))
                .body("detail", containsString("too many requests wait for it"));
        push(item(queue, "free", "other", "1")).statusCode(201);
        assertStillWaiting(answers);
        outside.commit();
        for (CompletableFuture<Response> answer : answers) {
            HeldOutside.get(answer).then().statusCode(201);
        }
        assertThat(stored(sql, queue, "held")).hasSize(2 + MAX_PER_PARTITION).doesNotContain("refused");
    }

    @Test
    void push_toAHeldAndAFreePartition_isStoredWholeWhenTheOtherIsFree() throws Exception {
        outside.push(queue, "held");
        CompletableFuture<Response> both =
                waiting("push", 1, () -> pushed(item(queue, "free", "x", "1"), item(queue, "held", "y", "1")));
        push(item(queue, "free", "before", "1")).statusCode(201);
        assertThat(stored(sql, queue, "free")).contains("before").doesNotContain("x");
        outside.commit();
        HeldOutside.get(both).then().statusCode(201);
        assertThat(stored(sql, queue, "free")).endsWith("before", "x");
        assertThat(stored(sql, queue, "held")).endsWith("outside", "y");
    }

    @Test
    void push_partitionThatIsBeingCreatedOutside_waitsAndAllElseIsAnswered() throws Exception {
        outside.push(queue, "new");
        CompletableFuture<Response> answer = waiting("push", 1, () -> pushed(item(queue, "new", "t", "1")));
        everythingElseIsAnswered();
        assertStillWaiting(List.of(answer));
        outside.commit();
        HeldOutside.get(answer).then().statusCode(201);
        assertThat(stored(sql, queue, "new")).containsExactly("outside", "t");
    }

    @Test
    void push_queueWithALimitPushedToOutside_waitsAndAllElseIsAnswered() throws Exception {
        String limited = Partitions.name("limited");
        Pops.configure(limited, Map.of("maxSize", 100));
        push(item(limited, "b", "first", "1")).statusCode(201);
        outside.push(limited, "a");
        CompletableFuture<Response> answer = waiting("push", 1, () -> pushed(item(limited, "b", "t", "1")));
        everythingElseIsAnswered();
        assertStillWaiting(List.of(answer));
        outside.commit();
        HeldOutside.get(answer).then().statusCode(201).body("[0].status", equalTo("queued"));
    }

    @Test
    void ackAndRenewal_leaseHeldOutside_waitAndAllElseIsAnswered() throws Exception {
        UUID lease = partitions.lease(held, GROUP, 1);
        outside.lockConsumer(held);
        CompletableFuture<Response> renewal = waiting("renew", 1, () -> renewed(lease));
        CompletableFuture<Response> ack = waiting("ack", 1, () -> acked(held, "m1", lease));
        everythingElseIsAnswered();
        assertStillWaiting(List.of(renewal, ack));
        outside.commit();
        HeldOutside.get(ack).then().statusCode(200).body("[0].success", equalTo(true));
        assertThat(HeldOutside.get(renewal).statusCode()).isIn(200, 404);
        assertThat(partitions.cursor(held, GROUP)).isEqualTo(1);
    }

    @Test
    void transaction_overHeldAndFree_isAppliedWholeWhenAllIsFree() throws Exception {
        outside.push(queue, "held");
        CompletableFuture<Response> answer = waiting("transaction", 1, () -> transacted("held"));
        everythingElseIsAnswered();
        assertStillWaiting(List.of(answer));
        assertThat(stored(sql, queue, "free")).doesNotContain("moved-free");
        outside.commit();
        HeldOutside.get(answer).then().statusCode(200).body("success", equalTo(true));
        assertThat(stored(sql, queue, "held")).endsWith("outside", "moved-held");
        assertThat(stored(sql, queue, "free")).contains("moved-free");
    }

    @Test
    void pop_groupBeingCreatedOutside_getsWhatIsInOtherPartitions() {
        outside.run("insert into queen.partition_consumers (partition_id, consumer_group) values (?, 'fresh')", held);
        Response first = Pops.pop(queue, "consumerGroup", "fresh", "batch", 100);
        first.then().statusCode(200).body("messages.size()", equalTo(ROUNDS));
        assertThat(first.jsonPath().getList("messages.partitionId", String.class))
                .containsOnly(free.toString());
        Pops.popPartition(queue, "held", "consumerGroup", "fresh").then().statusCode(204);
        outside.commit();
        Pops.popPartition(queue, "held", "consumerGroup", "fresh").then().statusCode(200);
    }

    /** Pushes, acks, renewals, transactions and pops of the other partition, one after the other. */
    private void everythingElseIsAnswered() {
        UUID lease = partitions.lease(free, GROUP, ROUNDS);
        for (int i = 1; i < ROUNDS; i++) {
            push(item(queue, "free", "p" + i, "1")).statusCode(201);
            acked(free, "m" + i, lease).then().statusCode(200).body("[0].success", equalTo(true));
            renewed(lease).then().statusCode(200);
            post("/api/v1/transaction", "{\"operations\":[" + operation("free", "t" + i) + "]}")
                    .body("success", equalTo(true));
        }
        Pops.popPartition(queue, "free", "consumerGroup", "other").then().statusCode(200);
    }

    private static Response pushed(String... items) {
        return push(items).extract().response();
    }

    private static Response acked(UUID partition, String transactionId, UUID lease) {
        return post(
                        "/api/v1/ack",
                        "{\"partitionId\":\"%s\",\"transactionId\":\"%s\",\"leaseId\":\"%s\",\"consumerGroup\":\"%s\"}"
                                .formatted(partition, transactionId, lease, GROUP))
                .extract()
                .response();
    }

    private static Response renewed(UUID lease) {
        return post("/api/v1/lease/" + lease + "/extend", "{\"seconds\":60}")
                .extract()
                .response();
    }

    private Response transacted(String other) {
        String operations = operation("free", "moved-free") + "," + operation(other, "moved-" + other);
        return post("/api/v1/transaction", "{\"operations\":[" + operations + "]}")
                .extract()
                .response();
    }

    private String operation(String partition, String transactionId) {
        return "{\"type\":\"push\","
                + item(queue, partition, transactionId, "1").substring(1);
    }
}
