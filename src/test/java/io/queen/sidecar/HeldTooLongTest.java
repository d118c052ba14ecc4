package io.queen.sidecar;

import static io.queen.sidecar.HeldOutside.waiting;
import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Maintenance;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction outside holds a partition for longer than requests wait for it. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class HeldTooLongTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @AutoClose
    private final Sql sql = Sql.open();

    @AutoClose
    private final HeldOutside outside = new HeldOutside();

    private final String queue = Partitions.name("held");

    @BeforeEach
    void hold() {
        new Partitions(sql).push(queue, "held", 1);
        // A server that has just started may buffer at first.
        await().atMost(LIMIT)
                .until(() -> status(item(queue, "free", Partitions.name("first"), "1"))
                        .equals("queued"));
        outside.push(queue, "held");
    }

    @Test
    void push_heldForLongerThanItMayWait_is503NamingThePartitionAndStoresNothing() throws Exception {
        CompletableFuture<Response> answer = waiting("push", 1, () -> pushed("late"));
        HeldOutside.get(answer)
                .then()
                .statusCode(503)
                .header("Retry-After", "1")
                .body("code", equalTo("OVERLOADED"))
                .body("detail", containsString("Partition held of queue " + queue + " is held"));
        push(item(queue, "free", "other", "1")).statusCode(201);
        outside.commit();
        assertThat(pushed("later").statusCode()).isEqualTo(201);
        assertThat(HeldOutside.stored(sql, queue, "held")).containsExactly("m1", "outside", "later");
    }

    @Test
    void drain_partitionHeldBehindAnother_bringsTheOtherMeanwhile() {
        maintenance(true);
        push(item(queue, "free", "buffered", "1")).statusCode(201);
        push(item(queue, "held", "buffered", "1")).statusCode(201);
        maintenance(false);
        await().atMost(LIMIT).until(() -> HeldOutside.stored(sql, queue, "free").contains("buffered"));
        assertThat(HeldOutside.stored(sql, queue, "held")).containsExactly("m1");
        outside.commit();
        await().atMost(LIMIT).until(() -> Maintenance.pending() == 0);
        assertThat(HeldOutside.stored(sql, queue, "held")).containsExactly("m1", "outside", "buffered");
    }

    private static String status(String item) {
        return push(item).statusCode(201).extract().path("[0].status");
    }

    private static void maintenance(boolean on) {
        post("/api/v1/system/maintenance", "{\"enabled\":" + on + "}").statusCode(200);
    }

    private Response pushed(String transactionId) {
        return push(item(queue, "held", transactionId, "1")).extract().response();
    }
}
