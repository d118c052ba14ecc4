package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.sidecar.FakeOperation.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When requests leave, how many together, and what becomes of those that can't. */
class BatchQueueTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private Engine engine = Engine.ofPushes(2, Engine.LIMITS);

    @Test
    void submit_idle_leavesAtTheEndOfTheTurnWithThoseThatCameInIt() throws Exception {
        List<CompletableFuture<String>> answers = engine.pushAll("a", "b");
        assertThat(sent()).isEmpty();
        engine.loop.turn();
        assertThat(sent()).containsExactly(List.of("a", "b"));
        engine.succeed(call(0));
        assertThat(answers.get(0).get()).isEqualTo("a done");
        assertThat(answers.get(1).get()).isEqualTo("b done");
    }

    @Test
    void submit_idleAgainAfterABatch_leavesAtTheEndOfTheTurn() {
        sendOne("a");
        engine.succeed(call(0));
        sendOne("b");
        assertThat(sent()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void submit_batchInFlight_gathersUntilItIsBack() {
        sendOne("a");
        engine.pushAll("b", "c");
        engine.loop.turn();
        assertThat(sent()).hasSize(1);
        engine.succeed(call(0));
        assertThat(sent()).containsExactly(List.of("a"), List.of("b", "c"));
    }

    @Test
    void submit_quarterOfABatchGathered_isWorthAnotherConnection() {
        sendOne("a");
        engine.push(new Job("24 items", 24, 1, ""));
        assertThat(sent()).hasSize(1);
        engine.push("b");
        assertThat(sent()).containsExactly(List.of("a"), List.of("24 items", "b"));
    }

    @Test
    void submit_batchInFlight_leavesAtTheEndOfTheWindow() {
        engine = Engine.ofPushes(2, window(SHORT));
        sendOne("a");
        engine.push("b");
        engine.loop.awaitTask();
        assertThat(sent()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void submit_windowEndsWithoutAFreeConnection_waitsForOne() {
        engine = Engine.ofPushes(1, window(SHORT));
        sendOne("a");
        engine.push("b");
        engine.loop.awaitTask();
        engine.push("c");
        engine.loop.awaitTask();
        assertThat(sent()).hasSize(1);
        engine.succeed(call(0));
        engine.succeed(call(1));
        assertThat(sent()).containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void submit_notEager_waitsForTheWindowThoughNothingIsInFlight() {
        engine = Engine.ofPushes(2, new BatchLimits(100, 1000, SHORT, 50, 2, false));
        engine.push("a");
        engine.loop.awaitTask();
        assertThat(sent()).containsExactly(List.of("a"));
    }

    @Test
    void submit_noConnectionYet_leavesWhenOneComes() {
        engine = Engine.ofPushes(1, Engine.LIMITS);
        Slot only = engine.slots.free();
        only.lose(only.connection());
        engine.pushAll("a", "b");
        engine.loop.turn();
        assertThat(sent()).isEmpty();
        engine.slots.comeBack();
        engine.slotsChanged();
        assertThat(sent()).containsExactly(List.of("a", "b"));
    }

    @Test
    void submit_manyBatches_atMostSoManyAreInFlight() {
        engine = Engine.ofPushes(9, new BatchLimits(1, 1000, Engine.LONG, 50, 2, true));
        engine.pushAll("a", "b", "c");
        engine.loop.turn();
        assertThat(sent()).containsExactly(List.of("a"), List.of("b"));
        engine.succeed(call(1));
        assertThat(sent()).containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void submit_moreItemsThanABatchMayHave_areSeveralInOrder() {
        List.of(60, 40, 1, 200, 1).forEach(items -> engine.push(new Job(items + " items", items, 1, "")));
        engine.loop.turn();
        answerAll();
        assertThat(sent())
                .containsExactly(
                        List.of("60 items", "40 items"), List.of("1 items"), List.of("200 items"), List.of("1 items"));
    }

    @Test
    void submit_moreBytesThanABatchMayHave_areSeveralInOrder() {
        List.of(600L, 400L, 1L).forEach(bytes -> engine.push(new Job(bytes + " bytes", 1, bytes, "")));
        engine.loop.turn();
        assertThat(sent()).containsExactly(List.of("600 bytes", "400 bytes"), List.of("1 bytes"));
    }

    @Test
    void submit_tooManyWait_isRefusedAtOnceAndTheOthersAreNot() {
        sendOne("first");
        List<CompletableFuture<String>> waiting = IntStream.range(0, 50)
                .mapToObj(i -> engine.push(new Job("w" + i, 0, 1, "")))
                .toList();
        CompletableFuture<String> refused = engine.push("one too many");
        engine.loop.turn();
        assertFails(refused, ErrorCode.OVERLOADED);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(engine.figure("refused")).isEqualTo(1L);
        answerAll();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void submit_waitingRoomEmptyAgain_isAccepted() {
        engine = Engine.ofPushes(1, new BatchLimits(100, 1000, Engine.LONG, 1, 1, true));
        sendOne("a");
        engine.push("b");
        engine.succeed(call(0));
        CompletableFuture<String> accepted = engine.push("c");
        answerAll();
        assertThat(accepted).isCompletedWithValue("c done");
    }

    @Test
    void submit_callerHasGone_disturbsNoOther() {
        List<CompletableFuture<String>> answers = engine.pushAll("a", "gone", "c");
        answers.get(1).cancel(true);
        engine.loop.turn();
        engine.succeed(call(0));
        assertThat(answers.get(0)).isCompletedWithValue("a done");
        assertThat(answers.get(1)).isCancelled();
        assertThat(answers.get(2)).isCompletedWithValue("c done");
        assertThat(engine.figure("in_flight")).isEqualTo(0L);
    }

    @Test
    void submit_databaseAway_isToldAtOnce() {
        engine.slots.goAway();
        CompletableFuture<String> answer = engine.push("a");
        engine.loop.turn();
        assertFails(answer, ErrorCode.DATABASE_UNAVAILABLE);
        assertThat(sent()).isEmpty();
    }

    @Test
    void databaseGoes_allThatWaitAreToldAtOnce() {
        engine = Engine.ofPushes(1, new BatchLimits(2, 1000, Engine.LONG, 50, 1, true));
        engine.pushAll("in flight 1", "in flight 2");
        CompletableFuture<String> ready = engine.push("ready");
        engine.loop.turn();
        CompletableFuture<String> gathered = engine.push("gathered");
        engine.slots.goAway();
        engine.slotsChanged();
        assertFails(ready, ErrorCode.DATABASE_UNAVAILABLE);
        assertFails(gathered, ErrorCode.DATABASE_UNAVAILABLE);
        assertThat(engine.figure("pending")).isEqualTo(0L);
    }

    @Test
    void databaseGoes_inTheMiddleOfATurn_itsRequestsAreToldAtItsEnd() {
        CompletableFuture<String> collected = engine.push("a");
        engine.slots.goAway();
        engine.slotsChanged();
        assertFails(collected, ErrorCode.DATABASE_UNAVAILABLE);
        engine.slots.comeBack();
        sendOne("b");
        assertThat(sent()).containsExactly(List.of("b"));
    }

    @Test
    void figures_whileRequestsAreOnTheirWay_countEachOnce() {
        sendOne("a");
        engine.pushAll("b", "c");
        assertThat(engine.figure("pending")).isEqualTo(2L);
        assertThat(engine.figure("in_flight")).isEqualTo(1L);
        answerAll();
        assertThat(engine.figure("pending")).isEqualTo(0L);
        assertThat(engine.figure("in_flight")).isEqualTo(0L);
        assertThat(engine.figure("count")).isEqualTo(3L);
        assertThat(engine.figure("lists")).isEqualTo(2L);
    }

    private static BatchLimits window(Duration window) {
        return new BatchLimits(100, 1000, window, 50, 2, true);
    }

    private void sendOne(String name) {
        engine.push(name);
        engine.loop.turn();
    }

    private void answerAll() {
        for (int i = 0; i < engine.pushes().calls().size(); i++) {
            engine.succeed(call(i));
        }
    }

    private List<List<String>> sent() {
        return engine.pushes().sent();
    }

    private FakeOperation.Call call(int number) {
        return engine.pushes().call(number);
    }

    private static void assertFails(CompletableFuture<String> answer, ErrorCode code) {
        assertThat(answer).isDone();
        assertThatThrownBy(answer::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        QueenException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }
}
