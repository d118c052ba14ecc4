package io.queen.sidecar;

import static io.queen.sidecar.Engine.postgres;
import static io.queen.sidecar.FakeOperation.lock;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sidecar.FakeOperation.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests that need what another transaction holds: they wait aside, in order and not for ever. */
class LockWaitersTest {
    private final Engine engine = Engine.ofPushes(2, Engine.LIMITS);
    private final FakeOperation pushes = engine.pushes();

    @Test
    void lockTimeout_requestsThatNeedTheLockWaitAndTheirNeighboursGoOn() {
        CompletableFuture<String> waiting = meetLock("p", Job.in("p", "held"), Job.in("other", "free"));
        assertThat(pushes.call(1).names()).containsExactly("free");
        engine.succeed(pushes.call(1));
        assertThat(waiting).isNotDone();
        assertThat(engine.figure("held")).isEqualTo(1L);
        assertThat(engine.figure("errors")).isEqualTo(0L);
    }

    @Test
    void submit_forWhatIsHeld_waitsWithoutBeingSent() {
        meetLock("p", Job.in("p", "a"));
        engine.push(Job.in("p", "b"));
        engine.loop.turn();
        assertThat(pushes.calls()).hasSize(1);
        assertThat(engine.figure("held")).isEqualTo(2L);
    }

    @Test
    void lockIsFree_requestsLeaveInTheOrderOfTheirArrival() {
        meetLock("p", Job.in("p", "a"), Job.in("p", "b"));
        engine.loop.pass(1);
        engine.push(Job.in("p", "c"));
        engine.held.clear();
        engine.loop.pass(50);
        assertThat(pushes.call(1).names()).containsExactly("a", "b", "c");
        engine.succeed(pushes.call(1));
        assertThat(engine.figure("held")).isEqualTo(0L);
    }

    @Test
    void lockIsFree_requestsLeaveBeforeThoseThatCameLater() {
        meetLock("p", Job.in("p", "a"));
        engine.push("in flight");
        engine.loop.turn();
        engine.push("later");
        engine.held.clear();
        engine.loop.pass(50);
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("in flight"), List.of("a"));
    }

    @Test
    void lockIsHeldByOneAfterTheOther_requestsQueueInPostgres() {
        meetLock("p", Job.in("p", "a"));
        engine.held.put(lock("p"), "another transaction");
        engine.loop.pass(50);
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("a"));
    }

    @Test
    void lockStaysHeld_requestsAreRefusedWhenTheirPatienceEnds() {
        CompletableFuture<String> early = meetLock("p", Job.in("p", "a"));
        engine.loop.pass(Engine.PATIENCE_MS / 2);
        CompletableFuture<String> late = engine.push(Job.in("p", "b"));
        engine.loop.pass(Engine.PATIENCE_MS / 2 + 300);
        assertThat(early).isCompletedExceptionally();
        assertThat(late).isNotDone();
        engine.loop.pass(Engine.PATIENCE_MS / 2);
        assertThat(late).isCompletedExceptionally();
        assertThat(pushes.calls()).hasSize(1);
    }

    @Test
    void lockStaysHeld_isAskedAboutOnAConnectionThatIsGivenBack() {
        meetLock("p", Job.in("p", "a"));
        engine.loop.pass(500);
        engine.pushAll("b");
        engine.loop.turn();
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void submit_tooManyWaitForOneLock_isRefusedAndOtherLocksAreNot() {
        meetLock("p", Job.in("p", "a"));
        List<CompletableFuture<String>> more = IntStream.range(0, 5)
                .mapToObj(i -> engine.push(Job.in("p", "w" + i)))
                .toList();
        engine.loop.turn();
        assertThat(more.subList(0, 4)).noneMatch(CompletableFuture::isDone);
        assertThat(more.get(4)).isCompletedExceptionally();
        engine.push(Job.in("free", "b"));
        engine.loop.turn();
        assertThat(pushes.call(1).names()).containsExactly("b");
    }

    @Test
    void batchWasReadyBeforeTheLockWasKnown_requestsStepAsideWhenItIsSent() {
        Engine narrow = Engine.ofPushes(1, new BatchLimits(100, 1000, Duration.ofHours(1), 50, 1, true));
        narrow.push(Job.in("p", "a"));
        narrow.loop.turn();
        narrow.push(Job.in("p", "b"));
        narrow.push(Job.in("other", "c"));
        narrow.held.put(lock("p"), "somebody");
        narrow.fail(narrow.pushes().call(0), postgres("55P03"));
        assertThat(narrow.pushes().sent()).containsExactly(List.of("a"), List.of("c"));
        assertThat(narrow.figure("held")).isEqualTo(2L);
        assertThat(narrow.figure("pending")).isEqualTo(0L);
    }

    @Test
    void databaseGoes_requestsThatWaitForLocksAreTold() {
        CompletableFuture<String> waiting = meetLock("p", Job.in("p", "a"));
        engine.slots.goAway();
        engine.slotsChanged();
        assertThat(waiting).isCompletedExceptionally();
        engine.slots.comeBack();
        engine.push(Job.in("p", "b"));
        engine.loop.turn();
        assertThat(pushes.call(1).names()).containsExactly("b");
    }

    @Test
    void unknownLock_theRequestThatMeetsItIsTriedLastUntilItsPatienceEnds() {
        List<CompletableFuture<String>> answers = List.of(engine.push("a"), engine.push("b"));
        engine.loop.turn();
        engine.fail(pushes.call(0), postgres("55P03"));
        assertThat(pushes.call(1).names()).containsExactly("a");
        engine.fail(pushes.call(1), postgres("55P03"));
        assertThat(pushes.call(2).names()).containsExactly("b");
        engine.succeed(pushes.call(2));
        engine.loop.pass(Engine.PATIENCE_MS + 1);
        engine.fail(pushes.call(3), postgres("55P03"));
        assertThat(answers.get(0)).isCompletedExceptionally();
        assertThat(answers.get(1)).isCompletedWithValue("b done");
    }

    @Test
    void unknownLock_operationHasAnAnswerForNow_givesIt() {
        pushes.answersWhileLocked("come back later");
        CompletableFuture<String> answer = engine.push("a");
        engine.loop.turn();
        engine.fail(pushes.call(0), postgres("55P03"));
        assertThat(answer).isCompletedWithValue("come back later");
    }

    /** Sends the jobs as one batch that can't get the lock of the partition; gives the answer of the first. */
    private CompletableFuture<String> meetLock(String partition, Job... jobs) {
        List<CompletableFuture<String>> answers =
                List.of(jobs).stream().map(engine::push).toList();
        engine.loop.turn();
        engine.held.put(lock(partition), "a transaction");
        engine.fail(pushes.call(0), postgres("55P03"));
        return answers.get(0);
    }
}
