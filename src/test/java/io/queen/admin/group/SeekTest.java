package io.queen.admin.group;

import static io.queen.testing.Groups.drain;
import static io.queen.testing.Groups.seek;
import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class SeekTest {
    private static final String BEGINNING = "{\"toBeginning\":true}";
    private static final String END = "{\"toEnd\":true}";

    private final String queue = Pops.queue();

    @ParameterizedTest
    @ValueSource(
            strings = {BEGINNING, "{\"timestamp\":\"1970-01-01T00:00:00Z\"}", "{\"timestamp\":\"2020-01-01\",\"x\":1}"})
    void seek_back_deliversEverythingAgain(String body) {
        push(queue, "a", 1, 2);
        push(queue, "b", 3);
        assertThat(drain(queue, "g")).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(drain(queue, "g")).isEmpty();
        seek("g", queue, body)
                .statusCode(200)
                .body("success", equalTo(true))
                .body("consumerGroup", equalTo("g"))
                .body("queueName", equalTo(queue))
                .body("seekToEnd", equalTo(false))
                .body("partitionsUpdated", equalTo(2));
        assertThat(drain(queue, "g")).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void seek_backOfANewGroup_isATrueRewind() {
        push(queue, "p", 1);
        assertThat(pop(queue, "consumerGroup", "g", "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        seek("g", queue, BEGINNING).statusCode(200).body("partitionsUpdated", equalTo(1));
        assertThat(drain(queue, "g")).containsExactly(1);
    }

    @Test
    void seek_toEnd_skipsAlsoWhereTheGroupHasNoCursor() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        assertThat(data(Pops.popPartition(queue, "a", "consumerGroup", "g", "autoAck", true)))
                .containsExactly(1);
        seek("g", queue, END)
                .statusCode(200)
                .body("seekToEnd", equalTo(true))
                .body("targetTimestamp", nullValue())
                .body("partitionsUpdated", equalTo(2));
        assertThat(drain(queue, "g")).isEmpty();
        push(queue, "b", 3);
        assertThat(drain(queue, "g")).containsExactly(3);
    }

    @Test
    void seek_toATime_deliversWhatIsYounger() {
        for (int i = 1; i <= 3; i++) {
            push(queue, "p", i);
        }
        Response all = pop(queue, "consumerGroup", "g", "batch", 3, "autoAck", true);
        String second = Pops.message(all, 1).getString("createdAt");
        seek("g", queue, "{\"timestamp\":\"" + second + "\"}")
                .statusCode(200)
                .body("targetTimestamp", equalTo(second.substring(0, 23) + "Z"));
        assertThat(drain(queue, "g")).containsExactly(3);
    }

    @Test
    void seek_leased_dropsTheLeaseAndRefusesItsAcks() {
        push(queue, "p", 1, 2);
        Response held = pop(queue, "consumerGroup", "g", "batch", 2);
        seek("g", queue, BEGINNING).statusCode(200);
        String ack = "{\"transactionId\":\"t2\",\"consumerGroup\":\"g\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
                .formatted(
                        held.jsonPath().getString("partitionId"),
                        held.jsonPath().getString("leaseId"));
        Client.post("/api/v1/ack", ack).statusCode(200).body("[0].success", equalTo(false));
        assertThat(data(pop(queue, "consumerGroup", "g", "batch", 2))).containsExactly(1, 2);
    }

    @Test
    void seek_toEndOfALeasedPartition_deliversTheNextPush() {
        push(queue, "p", 1);
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(1);
        seek("g", queue, END).statusCode(200);
        push(queue, "p", 2);
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(2);
    }

    @Test
    void seek_oneGroup_leavesOthersAlone() {
        push(queue, "p", 1);
        assertThat(drain(queue, "g")).containsExactly(1);
        assertThat(drain(queue, "h")).containsExactly(1);
        seek("g", queue, BEGINNING).statusCode(200);
        assertThat(drain(queue, "h")).isEmpty();
        assertThat(drain(queue, "g")).containsExactly(1);
    }

    @Test
    void seek_back_wakesAPopOfTheQueue() {
        push(queue, "p", 1);
        assertThat(drain(queue, "g")).containsExactly(1);
        CompletableFuture<Response> waiter =
                parked(() -> pop(queue, "consumerGroup", "g", "wait", true, "timeout", 60_000));
        seek("g", queue, BEGINNING).statusCode(200);
        assertThat(data(waiter.orTimeout(50, TimeUnit.SECONDS).join())).containsExactly(1);
    }

    @Test
    void seek_back_wakesAPopOfThePartition() {
        push(queue, "p", 1);
        assertThat(drain(queue, "g")).containsExactly(1);
        CompletableFuture<Response> waiter =
                parked(() -> Pops.popPartition(queue, "p", "consumerGroup", "g", "wait", true, "timeout", 60_000));
        seek("g", queue, "p", BEGINNING).statusCode(200);
        assertThat(data(waiter.orTimeout(50, TimeUnit.SECONDS).join())).containsExactly(1);
    }

    private static CompletableFuture<Response> parked(Supplier<Response> pop) {
        int before = Pops.parked();
        CompletableFuture<Response> future = CompletableFuture.supplyAsync(pop, Parallel.THREADS);
        await().atMost(Duration.ofSeconds(30)).until(() -> Pops.parked() > before);
        return future;
    }

    @Test
    void seek_unknownGroupOrQueue_movesNothing() {
        push(queue, "p", 1);
        seek("nobody", queue, END).statusCode(200).body("partitionsUpdated", equalTo(0));
        seek("g", queue + "-none", END).statusCode(200).body("partitionsUpdated", equalTo(0));
        assertThat(drain(queue, "nobody")).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"toEnd\":false}", "{\"timestamp\":null}", "[]"})
    void seek_nowhere_is400(String body) {
        seek("g", queue, body).statusCode(400).body("code", equalTo("MISSING_FIELD"));
    }

    @Test
    void seek_badBody_is400() {
        seek("g", queue, "").statusCode(400).body("code", equalTo("EMPTY_BODY"));
        seek("g", queue, "{").statusCode(400).body("code", equalTo("INVALID_JSON"));
        seek("g", queue, "{\"toEnd\":1}").statusCode(400).body("field", equalTo("toEnd"));
        seek("g", queue, "{\"timestamp\":\"soon\"}").statusCode(400).body("field", equalTo("timestamp"));
    }

    @Test
    void seekPartition_back_movesThatOneOnly() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        assertThat(drain(queue, "g")).containsExactlyInAnyOrder(1, 2);
        seek("g", queue, "b", BEGINNING)
                .statusCode(200)
                .body("success", equalTo(true))
                .body("partitionName", equalTo("b"))
                .body("updated", equalTo(true))
                .body("cursorMovedTo", nullValue());
        assertThat(drain(queue, "g")).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", END})
    void seekPartition_withoutATarget_goesToTheEnd(String body) {
        push(queue, "p", 1, 2);
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(1);
        seek("g", queue, "p", body)
                .statusCode(200)
                .body("updated", equalTo(true))
                .body("cursorMovedTo", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"));
        push(queue, "p", 3);
        assertThat(drain(queue, "g")).containsExactly(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"toBeginning\":true", "\"toEnd\":true", "\"timestamp\":\"$time\""})
    void dryRun_anySeek_tellsWhatTheSeekThenDoes(String to) {
        push(queue, "a", 1, 2, 3);
        push(queue, "b", 4, 5);
        push(queue, "c", 6);
        List<Integer> consumed = data(Pops.popPartition(queue, "a", "consumerGroup", "g", "batch", 2, "autoAck", true));
        Response all = Pops.popPartition(queue, "b", "consumerGroup", "g", "batch", 2, "autoAck", true);
        String body = to.replace("$time", Pops.message(all, 0).getString("createdAt"));

        ValidatableResponse preview = seek("g", queue, "{" + body + ",\"dryRun\":true}")
                .statusCode(200)
                .body("keySet()", containsInAnyOrder("dryRun", "partitions", "redelivered", "skipped"))
                .body("dryRun", equalTo(true));
        int redelivered = preview.extract().path("redelivered");
        int skipped = preview.extract().path("skipped");
        int before = 2; // 3 and 6 were left; a dry run has moved nothing
        int moved = seek("g", queue, "{" + body + "}").extract().path("partitionsUpdated");
        List<Integer> got = drain(queue, "g");

        preview.body("partitions", equalTo(moved));
        List<Integer> seen = new ArrayList<>(consumed);
        seen.addAll(data(all));
        assertThat(redelivered)
                .isEqualTo((int) got.stream().filter(seen::contains).count());
        assertThat(skipped)
                .isEqualTo(before
                        - (int) got.stream()
                                .filter(each -> !seen.contains(each))
                                .count());
    }

    @Test
    void dryRun_ofOnePartition_movesNothing() {
        push(queue, "a", 1, 2);
        push(queue, "b", 3);
        assertThat(drain(queue, "g")).hasSize(3);
        push(queue, "a", 4);
        seek("g", queue, "a", "{\"toBeginning\":true,\"dryRun\":true}")
                .statusCode(200)
                .body("partitions", equalTo(1))
                .body("redelivered", equalTo(2))
                .body("skipped", equalTo(0));
        seek("g", queue, "a", "{\"dryRun\":true}").statusCode(200).body("skipped", equalTo(1));
        assertThat(drain(queue, "g")).containsExactly(4);
        seek("g", queue, "none", "{\"dryRun\":true}").statusCode(404).body("code", equalTo("PARTITION_NOT_FOUND"));
        seek("nobody", queue, "a", "{\"dryRun\":true}").statusCode(200).body("partitions", equalTo(0));
        seek("g", queue, "{\"dryRun\":true}").statusCode(400).body("code", equalTo("MISSING_FIELD"));
        seek("g", queue, "{\"toEnd\":true,\"dryRun\":1}").statusCode(400).body("field", equalTo("dryRun"));
    }

    @Test
    void dryRun_redrivenMessagesThatWait_wouldBeSkipped() {
        push(queue, "p", 1, 2);
        Pops.ack(Pops.pop(queue, "consumerGroup", "g"), "dlq");
        Client.post("/api/v1/dlq/redrive?queue=" + queue, "").statusCode(200).body("redriven", equalTo(1));
        seek("g", queue, "{\"toEnd\":true,\"dryRun\":true}").body("skipped", equalTo(2));
        seek("g", queue, "{\"toBeginning\":true,\"dryRun\":true}")
                .body("redelivered", equalTo(1))
                .body("skipped", equalTo(0));
        assertThat(data(pop(queue, "consumerGroup", "g"))).containsExactly(1);
    }

    @Test
    void dryRun_groupThatStartsWithNew_countsFromWhereItBegins() {
        push(queue, "p", 1, 2);
        assertThat(pop(queue, "consumerGroup", "g", "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        seek("g", queue, "{\"toBeginning\":true,\"dryRun\":true}")
                .body("partitions", equalTo(1))
                .body("redelivered", equalTo(2))
                .body("skipped", equalTo(0));
        seek("g", queue, "{\"toEnd\":true,\"dryRun\":true}")
                .body("redelivered", equalTo(0))
                .body("skipped", equalTo(0));
    }

    @Test
    void seekPartition_unknown_is404AndAnUnknownGroupIsNotMoved() {
        push(queue, "p", 1);
        seek("g", queue, "none", "").statusCode(404).body("code", equalTo("PARTITION_NOT_FOUND"));
        seek("nobody", queue, "p", "").statusCode(200).body("updated", equalTo(false));
        assertThat(drain(queue, "nobody")).containsExactly(1);
    }
}
