package io.queen.sidecar;

import static io.queen.sidecar.Engine.postgres;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sidecar.FakeOperation.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Batches that fail as a whole: sent again, halved, or told, and always in the order in which their requests came. */
class BatchFailureTest {
    private final Engine engine = Engine.ofPushes(2, new BatchLimits(100, 1000, Engine.LONG, 50, 1, true));
    private final FakeOperation pushes = engine.pushes();
    private final IOException lost = new IOException("reset");

    @Test
    void lostConnection_batchIsSentAgainOnAnotherAsOneThatMayHaveBeenApplied() {
        List<CompletableFuture<String>> answers = send("a", "b");
        engine.fail(pushes.call(0), lost);
        assertThat(pushes.sent()).containsExactly(List.of("a", "b"), List.of("a", "b"));
        assertThat(pushes.call(0).again()).isFalse();
        assertThat(pushes.call(1).again()).isTrue();
        assertThat(pushes.call(1).connection()).isNotSameAs(pushes.call(0).connection());
        assertThat(engine.slots.isInUse(pushes.call(0).connection())).isFalse();
        engine.succeed(pushes.call(1));
        assertThat(answers.get(1)).isCompletedWithValue("b done");
    }

    @Test
    void lostConnection_withoutAnother_batchWaitsForOneBeforeYoungerRequests() {
        send("a");
        engine.push("b");
        engine.slots.free().take();
        engine.fail(pushes.call(0), lost);
        assertThat(pushes.sent()).hasSize(1);
        engine.slots.comeBack();
        engine.slotsChanged();
        assertThat(pushes.sent().get(1)).containsExactly("a");
        engine.succeed(pushes.call(1));
        assertThat(pushes.sent().get(2)).containsExactly("b");
    }

    @Test
    void lostConnection_againAndAgain_callersAreToldAfterFiveTimes() {
        List<CompletableFuture<String>> answers = send("a");
        for (int i = 0; i < 5; i++) {
            engine.fail(pushes.call(i), lost);
            engine.slots.comeBack();
            engine.slotsChanged();
        }
        assertThat(pushes.calls()).hasSize(5);
        assertThat(answers.get(0)).isCompletedExceptionally();
    }

    @Test
    void passingFailure_batchIsSentAgainOnTheSameConnection() {
        List<CompletableFuture<String>> answers = send("a", "b");
        engine.fail(pushes.call(0), postgres("40P01"));
        assertThat(pushes.call(1).connection()).isSameAs(pushes.call(0).connection());
        assertThat(pushes.call(1).again()).isFalse();
        engine.succeed(pushes.call(1));
        assertThat(answers).allMatch(answer -> !answer.isCompletedExceptionally());
        assertThat(engine.figure("errors")).isEqualTo(1L);
    }

    @Test
    void lostThenPassingFailure_batchStillCountsAsMaybeApplied() {
        send("a");
        engine.fail(pushes.call(0), lost);
        engine.fail(pushes.call(1), postgres("40001"));
        assertThat(pushes.call(2).again()).isTrue();
    }

    @Test
    void badRequest_isFoundByHalvingAndAloneFails() {
        List<CompletableFuture<String>> answers = send("a", "b", "bad", "d", "e");
        List<String> applied = answerAllBut("bad");
        assertThat(applied).containsExactly("a", "b", "d", "e");
        assertThat(answers)
                .extracting(CompletableFuture::isCompletedExceptionally)
                .containsExactly(false, false, true, false, false);
    }

    @Test
    void badRequest_neighboursAreAnsweredBeforeRequestsThatCameLater() {
        send("a", "bad");
        engine.push("later");
        assertThat(answerAllBut("bad")).containsExactly("a", "later");
    }

    @Test
    void badRequest_thenLostConnection_onlyThatHalfIsSentAgain() {
        send("a", "bad");
        engine.fail(pushes.call(0), postgres("22023"));
        engine.fail(pushes.call(1), lost);
        assertThat(pushes.sent()).containsExactly(List.of("a", "bad"), List.of("a"), List.of("a"));
        assertThat(pushes.call(2).again()).isTrue();
        engine.succeed(pushes.call(2));
        assertThat(pushes.call(3).names()).containsExactly("bad");
        assertThat(pushes.call(3).again()).isFalse();
    }

    @Test
    void unknownFailure_allCallersAreToldAndTheNextBatchGoesOn() {
        List<CompletableFuture<String>> answers = send("a", "b");
        engine.push("c");
        engine.fail(pushes.call(0), postgres("XX000"));
        assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(pushes.sent()).containsExactly(List.of("a", "b"), List.of("c"));
    }

    @Test
    void operationThatThrows_failsItsBatchOnly() {
        assertThat(pushes.calls()).isEmpty();
        pushes.throwsNext(new IllegalStateException("bug"));
        List<CompletableFuture<String>> answers = send("a");
        assertThat(answers.get(0)).isCompletedExceptionally();
        send("b");
        assertThat(pushes.sent()).containsExactly(List.of("b"));
    }

    private List<CompletableFuture<String>> send(String... names) {
        List<CompletableFuture<String>> answers = engine.pushAll(names);
        engine.loop.turn();
        return answers;
    }

    /** Refuses each batch with that request as bad, answers all others, and tells what was applied in which order. */
    private List<String> answerAllBut(String bad) {
        List<String> applied = new ArrayList<>();
        for (int i = 0; i < pushes.calls().size(); i++) {
            Call call = pushes.call(i);
            if (call.names().contains(bad)) {
                engine.fail(call, postgres("22023"));
            } else {
                applied.addAll(call.names());
                engine.succeed(call);
            }
        }
        return applied;
    }
}
