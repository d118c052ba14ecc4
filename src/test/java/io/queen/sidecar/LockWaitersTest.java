package io.queen.sidecar;

import static io.queen.sidecar.Engine.postgres;
import static io.queen.sidecar.FakeOperation.lock;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.queen.sidecar.FakeOperation.Job;
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
        CompletableFuture<String> waiting = meetLock(Job.locking("a", "held"), Job.locking("b", "free"));
        assertThat(pushes.call(1).names()).containsExactly("free");
        engine.succeed(pushes.call(1));
        assertThat(waiting).isNotDone();
        assertThat(engine.figure("held")).isEqualTo(1L);
        assertThat(engine.figure("errors")).isEqualTo(0L);
    }

    @Test
    void submit_forWhatIsHeld_waitsWithoutBeingSent() {
        meetLock(Job.locking("a", "a"));
        engine.push(Job.locking("a", "b"));
        engine.loop.turn();
        assertThat(pushes.calls()).hasSize(1);
        assertThat(engine.figure("held")).isEqualTo(2L);
    }

    @Test
    void lockIsFree_requestsLeaveInTheOrderOfTheirArrival() {
        meetLock(Job.locking("a", "a"), Job.locking("a", "b"));
        engine.loop.pass(1);
        engine.push(Job.locking("a", "c"));
        engine.held.clear();
        engine.loop.pass(50);
        assertThat(pushes.call(1).names()).containsExactly("a", "b", "c");
        engine.succeed(pushes.call(1));
        assertThat(engine.figure("held")).isEqualTo(0L);
    }

    @Test
    void lockIsFree_requestsLeaveBeforeThoseThatCameLater() {
        meetLock(Job.locking("a", "a"));
        engine.push("in flight");
        engine.loop.turn();
        engine.push("later");
        engine.held.clear();
        engine.loop.pass(50);
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("in flight"), List.of("a"));
    }

    @Test
    void lockIsHeldByOneAfterTheOther_requestsQueueInPostgres() {
        meetLock(Job.locking("a", "a"));
        engine.held.put(lock('a'), "another transaction");
        engine.loop.pass(50);
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("a"));
    }

    @Test
    void lockStaysHeld_requestsAreRefusedWhenTheirPatienceEnds() {
        CompletableFuture<String> early = meetLock(Job.locking("a", "a"));
        engine.loop.pass(Engine.PATIENCE_MS / 2);
        CompletableFuture<String> late = engine.push(Job.locking("a", "b"));
        engine.loop.pass(Engine.PATIENCE_MS / 2 + 300);
        assertThat(early).isCompletedExceptionally();
        assertThat(late).isNotDone();
        engine.loop.pass(Engine.PATIENCE_MS / 2);
        assertThat(late).isCompletedExceptionally();
        assertThat(pushes.calls()).hasSize(1);
    }

    @Test
    void lockStaysHeld_isAskedAboutOnAConnectionThatIsGivenBack() {
        meetLock(Job.locking("a", "a"));
        engine.loop.pass(500);
        engine.pushAll("b");
        engine.loop.turn();
        assertThat(pushes.sent()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void submit_tooManyWaitForOneLock_isRefusedAndOtherLocksAreNot() {
        meetLock(Job.locking("a", "a"));
        List<CompletableFuture<String>> more = IntStream.range(0, 5)
                .mapToObj(i -> engine.push(Job.locking("a", "w" + i)))
                .toList();
        engine.loop.turn();
        assertThat(more.subList(0, 4)).noneMatch(CompletableFuture::isDone);
        assertThat(more.get(4)).isCompletedExceptionally();
        engine.push(Job.locking("b", "b"));
        engine.loop.turn();
        assertThat(pushes.call(1).names()).containsExactly("b");
    }

    @Test
    void submit_tooManyWaitInAll_isRefused() {
        Engine narrow = Engine.ofPushes(1, new BatchLimits(100, 1000, Engine.LONG, 2, 1, true));
        meetLock(narrow, Job.locking("a", "1"));
        narrow.held.put(lock('b'), "a transaction");
        narrow.push(Job.locking("b", "2"));
        narrow.loop.turn();
        narrow.fail(narrow.pushes().call(1), postgres("55P03"));
        narrow.held.put(lock('c'), "a transaction");
        CompletableFuture<String> refused = narrow.push(Job.locking("c", "3"));
        narrow.loop.turn();
        narrow.fail(narrow.pushes().call(2), postgres("55P03"));
        assertThat(refused).isCompletedExceptionally();
        assertThat(narrow.figure("held")).isEqualTo(2L);
    }

    @Test
    void submit_tooManyBytesWait_isRefusedButOneAloneAlwaysFits() {
        CompletableFuture<String> large = meetLock(new Job("large", 1, 5000, "a"));
        CompletableFuture<String> small = engine.push(Job.locking("a", "small"));
        engine.loop.turn();
        assertThat(large).isNotDone();
        assertThat(small).isCompletedExceptionally();
    }

    @Test
    void lockIsFree_requestThatNeedsAnotherOneWaitsForThat() {
        engine.held.put(lock('b'), "a transaction");
        meetLock(Job.locking("ab", "both"), Job.locking("a", "one"));
        engine.held.remove(lock('a'));
        engine.loop.pass(50);
        assertThat(pushes.call(1).names()).containsExactly("one");
        assertThat(engine.figure("held")).isEqualTo(1L);
        engine.succeed(pushes.call(1));
        engine.held.remove(lock('b'));
        engine.loop.pass(250);
        assertThat(pushes.call(2).names()).containsExactly("both");
    }

    @Test
    void lockIsFree_thereIsRoomAgain() {
        meetLock(Job.locking("a", "1"));
        IntStream.range(0, 4).forEach(i -> engine.push(Job.locking("a", "w" + i)));
        engine.held.clear();
        engine.loop.pass(50);
        engine.held.put(lock('a'), "a transaction");
        engine.fail(pushes.call(1), postgres("55P03"));
        assertThat(engine.figure("held")).isEqualTo(5L);
        assertThat(engine.figure("refused")).isEqualTo(0L);
    }

    @Test
    void batchWasReadyBeforeTheLockWasKnown_requestsStepAsideWhenItIsSent() {
        Engine narrow = Engine.ofPushes(1, new BatchLimits(100, 1000, Engine.LONG, 50, 1, true));
        narrow.push(Job.locking("a", "a"));
        narrow.loop.turn();
        narrow.push(Job.locking("a", "b"));
        narrow.push(Job.locking("b", "c"));
        narrow.held.put(lock('a'), "a transaction");
        narrow.fail(narrow.pushes().call(0), postgres("55P03"));
        assertThat(narrow.pushes().sent()).containsExactly(List.of("a"), List.of("c"));
        assertThat(narrow.figure("held")).isEqualTo(2L);
        assertThat(narrow.figure("pending")).isEqualTo(0L);
    }

    @Test
    void databaseGoes_requestsThatWaitForLocksAreTold() {
        CompletableFuture<String> waiting = meetLock(Job.locking("a", "a"));
        engine.slots.goAway();
        engine.slotsChanged();
        assertThat(waiting).isCompletedExceptionally();
        engine.slots.comeBack();
        engine.push(Job.locking("a", "b"));
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
        assertThat(engine.figure("errors")).isEqualTo(0L);
        engine.fail(pushes.call(3), postgres("55P03"));
        assertThat(engine.figure("errors")).isEqualTo(1L);
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

    /** Sends the jobs as one batch that can't get lock a; gives the answer of the first. */
    @CanIgnoreReturnValue
    private CompletableFuture<String> meetLock(Job... jobs) {
        return meetLock(engine, jobs);
    }

    @CanIgnoreReturnValue
    private static CompletableFuture<String> meetLock(Engine engine, Job... jobs) {
        List<CompletableFuture<String>> answers =
                List.of(jobs).stream().map(engine::push).toList();
        engine.loop.turn();
        engine.held.put(lock('a'), "a transaction");
        engine.fail(engine.pushes().call(0), postgres("55P03"));
        return answers.get(0);
    }
}
