package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static io.queen.testing.Pops.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.queen.testing.RawHttp;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class LongPollHttpTest {
    /** What is to happen by a signal happens well before the slowest look of a pop that nobody woke. */
    private final String queue = Pops.queue();

    private static Response get(CompletableFuture<Response> future) {
        return future.orTimeout(15, TimeUnit.SECONDS).join();
    }

    /** A pop that has been parked for long enough that it looks for itself only once a second. */
    private CompletableFuture<Response> parked(Object... query) {
        int before = Pops.parked();
        CompletableFuture<Response> future = waiting(queue, query);
        await().pollInterval(Duration.ofMillis(10)).until(() -> Pops.parked() > before);
        return future;
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void wait_somethingThere_isAnsweredAtOnce() {
        push(queue, "p", 1);
        assertThat(data(get(waiting(queue)))).containsExactly(1);
    }

    @Test
    void wait_nothingComes_isEmptyAtTheDeadline() {
        long start = System.nanoTime();
        assertThat(pop(queue, "wait", true, "timeout", 400).statusCode()).isEqualTo(204);
        assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(395));
    }

    @Test
    void wait_push_wakes() {
        Pops.configure(queue, Map.of());
        CompletableFuture<Response> waiter = parked();
        push(queue, "p", 1);
        assertThat(data(get(waiter))).containsExactly(1);
    }

    @Test
    void wait_pushToANewQueue_wakesGroupAndPartitionAndNamespace() {
        String named = queue + ".mail";
        Stream<Map<String, Object>> pops = Stream.of(
                Pops.query("queue", named),
                Pops.query("queue", named, "consumerGroup", "g", "subscriptionMode", "new", "autoAck", true),
                Pops.query("queue", named, "partition", "p", "consumerGroup", "h"),
                Pops.query("namespace", queue, "consumerGroup", "i"));
        int before = Pops.parked();
        List<CompletableFuture<Response>> waiters = pops.map(query -> CompletableFuture.supplyAsync(
                        () -> RestAssured.given()
                                .queryParams(query)
                                .queryParam("wait", true)
                                .queryParam("timeout", 10_000)
                                .get("/api/v1/pop"),
                        Parallel.THREADS))
                .toList();
        await().pollInterval(Duration.ofMillis(10)).until(() -> Pops.parked() >= before + 4);
        push(named, "p", 7);
        assertThat(waiters).allSatisfy(waiter -> assertThat(data(get(waiter))).containsExactly(7));
    }

    @Test
    void wait_twoWaitersAndOneMessage_oneGetsItAndTheOtherWaitsOn() {
        CompletableFuture<Response> first = parked();
        CompletableFuture<Response> second = parked();
        push(queue, "p", 1);
        Object won = CompletableFuture.anyOf(first, second)
                .orTimeout(5, TimeUnit.SECONDS)
                .join();
        assertThat(data((Response) won)).containsExactly(1);
        assertThat(first.isDone() && second.isDone()).isFalse();
        push(queue, "r", 2);
        assertThat(List.of(data(get(first)), data(get(second)))).containsExactlyInAnyOrder(List.of(1), List.of(2));
    }

    @Test
    void wait_ackLeavesMessages_wakes() {
        push(queue, "p", 1, 2);
        Response held = pop(queue);
        CompletableFuture<Response> waiter = parked();
        Pops.ack(held, "completed");
        assertThat(data(get(waiter))).containsExactly(2);
    }

    @Test
    void wait_failedAck_wakesWithTheSameMessage() {
        push(queue, "p", 1);
        Response held = pop(queue);
        CompletableFuture<Response> waiter = parked();
        Pops.ack(held, "failed");
        Response again = get(waiter);
        assertThat(data(again)).containsExactly(1);
        assertThat(Pops.message(again, 0).getInteger("retryCount")).isEqualTo(1);
        assertThat(Pops.message(again, 0).getString("leaseId"))
                .isNotEqualTo(Pops.message(held, 0).getString("leaseId"));
    }

    @Test
    void wait_leaseExpires_wakesWithTheSameMessages() {
        Pops.configure(queue, Map.of("leaseTime", 1));
        push(queue, "p", 1, 2);
        long start = System.nanoTime();
        Response held = pop(queue, "batch", 2);
        Response again = get(waiting(queue, "batch", 9));
        assertThat(data(again)).isEqualTo(data(held)).containsExactly(1, 2);
        assertThat(Pops.message(again, 0).getInteger("retryCount")).isZero();
        assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }

    @Test
    void wait_delayedProcessing_firesWhenTheMessageIsDue() {
        Pops.configure(queue, Map.of("delayedProcessing", 4));
        long start = System.nanoTime();
        push(queue, "p", 1);
        assertThat(pop(queue).statusCode()).isEqualTo(204);
        assertThat(data(get(waiting(queue)))).containsExactly(1);
        assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }

    @Test
    void wait_windowBuffer_firesWithEverythingWhenItCloses() {
        Pops.configure(queue, Map.of("windowBuffer", 4));
        push(queue, "p", 1);
        push(queue, "p", 2);
        assertThat(pop(queue, "batch", 10).statusCode()).isEqualTo(204);
        assertThat(Pops.popPartition(queue, "p", "batch", 10).statusCode()).isEqualTo(204);
        long start = System.nanoTime();
        push(queue, "p", 3);
        assertThat(data(get(waiting(queue, "batch", 10)))).containsExactly(1, 2, 3);
        assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }

    @Test
    void client_leavesWhileParked_isForgotten() throws IOException {
        int before = Pops.parked();
        try (RawHttp abandoned = Pops.abandoned(queue)) {
            await().pollInterval(Duration.ofMillis(10)).until(() -> Pops.parked() > before);
            assertThat(abandoned.isOpen()).isTrue();
        }
        await().pollInterval(Duration.ofMillis(10)).until(() -> Pops.parked() <= before);
        push(queue, "p", 1);
        assertThat(data(pop(queue))).containsExactly(1);
    }
}
