package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.consumer.Consumers;
import io.queen.message.Claim;
import io.queen.message.ErrorCode;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopResult.Absence;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.pop.ready.LocalNews;
import io.queen.pop.ready.Pause;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.ReadyFixtures;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Found;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.ManualLoop;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LongPollTest {
    private static final PopTarget QUEUE = new PopTarget.Queue("q");
    private static final PopTarget PARTITION = new PopTarget.Partition("q", "p");
    private static final PopResult NOTHING = PopResult.empty(-1);
    private static final Claim CLAIM = new Claim(UUID.randomUUID(), "q", "p", "g", 0, 1, UUID.randomUUID(), 0);
    private static final PopResult SOMETHING =
            new PopResult(List.of(CLAIM), List.of(FakePopDatabase.message(CLAIM, 1)), 0);

    private final ManualLoop loop = new ManualLoop();
    private final Pauses pauses = new Pauses();
    private final MaintenanceFlags flags = new MaintenanceFlags();
    private final ReadyIndex index = ReadyFixtures.index(loop, pauses);
    private final LocalNews news = new LocalNews(index);
    private final Deque<CompletableFuture<PopResult>> tries = new ArrayDeque<>();
    private final List<Claim> released = new ArrayList<>();
    private final List<PopResult> answers = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final PopCounts counts = new PopCounts(ReadyFixtures.metrics(), new Consumers(), null);
    private final LongPolls polls = new LongPolls(null, null, null, index, pauses, flags, counts, loop) {
        @Override
        Uni<PopResult> attempt(PopRequest request) {
            CompletableFuture<PopResult> result = new CompletableFuture<>();
            tries.add(result);
            return Uni.createFrom().completionStage(result);
        }

        @Override
        void release(List<Claim> claims) {
            released.addAll(claims);
        }
    };

    private LongPolls.LongPoll start(PopTarget target, long waitMillis) {
        PopRequest request = new PopRequest(target, "g", 1, 1, false, null, null, null);
        List<LongPolls.LongPoll> made = new ArrayList<>();
        Uni.createFrom()
                .<PopResult>emitter(emitter -> made.add(polls.new LongPoll(request, waitMillis, emitter)))
                .subscribe()
                .with(answers::add, failures::add);
        made.get(0).start();
        return made.get(0);
    }

    /** The try that is under way finds that. */
    private void find(PopResult result) {
        tries.remove().complete(result);
        loop.turn();
    }

    private void fail(Throwable failure) {
        tries.remove().completeExceptionally(failure);
        loop.turn();
    }

    private void news() {
        news.wake("q");
        loop.turn();
    }

    private void becomesReady() {
        Answer answer = new Answer(List.of(new Found(UUID.randomUUID(), 0)), null, "1");
        index.of("q", "g").answer(index.of("q", "g").question(0), answer, 0, 0);
        loop.turn();
    }

    @Test
    void pop_messagesAreThere_answersWithThem() {
        start(QUEUE, 1000);
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
        assertThat(loop.delays()).isEmpty();
    }

    @Test
    void pop_mustNotWait_answersWhatTheOneTryFound() {
        start(QUEUE, 0);
        find(NOTHING);
        assertThat(answers).containsExactly(NOTHING);
    }

    @Test
    void pop_nothingComes_answersEmptyAtTheDeadline() {
        start(QUEUE, 90);
        find(NOTHING);
        loop.pass(89);
        assertThat(answers).isEmpty();
        loop.pass(1);
        assertThat(answers).containsExactly(NOTHING);
        assertThat(tries).isEmpty();
    }

    @Test
    void pop_nothingIsHeard_looksForItself() {
        start(QUEUE, 1000);
        find(NOTHING);
        loop.pass(100);
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
    }

    @Test
    void pop_newsWhileItWaits_isTriedAgain() {
        start(PARTITION, 1000);
        find(NOTHING);
        assertThat(tries).isEmpty();
        news();
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
    }

    @Test
    void pop_newsWhileItIsTried_areNotMissed() {
        start(PARTITION, 1000);
        news();
        find(NOTHING);
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
    }

    @Test
    void pop_partitionBecomesReadyWhileItIsTried_isTriedAgain() {
        start(QUEUE, 1000);
        becomesReady();
        find(NOTHING);
        assertThat(tries).hasSize(1);
    }

    @Test
    void pops_oneReadyPartition_wakesOneOfThem() {
        start(QUEUE, 1000);
        find(NOTHING);
        start(QUEUE, 1000);
        find(NOTHING);
        becomesReady();
        assertThat(tries).hasSize(1);
    }

    @Test
    void pop_namedPartitionIsDueSoon_isTriedJustThen() {
        start(PARTITION, 1000);
        find(PopResult.empty(70));
        loop.pass(69);
        assertThat(tries).isEmpty();
        loop.pass(1);
        assertThat(tries).hasSize(1);
    }

    @Test
    void clientGone_whileItWaits_isForgottenAndTheNextIsWoken() {
        LongPolls.LongPoll first = start(PARTITION, 1000);
        find(NOTHING);
        start(PARTITION, 1000);
        find(NOTHING);
        first.abandon();
        news();
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
        assertThat(released).isEmpty();
    }

    @Test
    void clientGone_afterItWasWoken_leavesTheNewsToTheNext() {
        LongPolls.LongPoll first = start(PARTITION, 1000);
        find(NOTHING);
        start(PARTITION, 1000);
        find(NOTHING);
        news.wake("q");
        first.abandon();
        loop.turn();
        assertThat(tries).hasSize(1);
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
    }

    @Test
    void clientGone_whileItIsTried_releasesWhatWasClaimed() {
        LongPolls.LongPoll poll = start(QUEUE, 1000);
        poll.abandon();
        find(SOMETHING);
        assertThat(released).containsExactly(CLAIM);
        assertThat(answers).isEmpty();
    }

    @Test
    void clientGone_answerOnItsWay_releasesWhatWasClaimed() {
        LongPolls.LongPoll poll = start(QUEUE, 1000);
        find(SOMETHING);
        poll.abandon();
        assertThat(released).containsExactly(CLAIM);
    }

    @Test
    void pop_paused_isNotTriedUntilItIsResumed() {
        pauses.replace(List.of(new Pause("q", null, null)));
        start(QUEUE, 1000);
        becomesReady();
        assertThat(tries).isEmpty();
        pauses.replace(List.of());
        news.resumed("q", null);
        loop.turn();
        find(SOMETHING);
        assertThat(answers).containsExactly(SOMETHING);
    }

    @Test
    void pop_pausedUntilTheDeadline_answersSo() {
        pauses.replace(List.of(new Pause("q", "g", null)));
        start(PARTITION, 90);
        loop.pass(90);
        assertThat(answers).extracting(PopResult::absence).containsExactly(Absence.PAUSED);
    }

    @Test
    void pop_maintenance_answersWithoutATry() {
        flags.set(false, true);
        start(QUEUE, 1000);
        assertThat(answers).containsExactly(NOTHING);
        assertThat(tries).isEmpty();
    }

    @Test
    void pop_maintenanceBeginsWhileItWaits_isAnswered() {
        start(QUEUE, 1000);
        find(NOTHING);
        flags.set(false, true);
        news.wakeAll();
        loop.turn();
        assertThat(answers).containsExactly(NOTHING);
    }

    @Test
    void pop_databaseIsAway_waitsAndSaysSoAtTheDeadline() {
        start(QUEUE, 90);
        fail(new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "away"));
        assertThat(answers).isEmpty();
        loop.pass(90);
        assertThat(answers).extracting(PopResult::absence).containsExactly(Absence.NO_DATABASE);
        assertThat(failures).isEmpty();
    }

    @Test
    void pop_otherFailure_isTheAnswer() {
        QueenException failure = new QueenException(ErrorCode.OVERLOADED, "full");
        start(QUEUE, 1000);
        fail(failure);
        assertThat(failures).containsExactly(failure);
        assertThat(answers).isEmpty();
    }

    @Test
    void end_popsThatWait_areAnsweredAndLaterOnesDoNotWait() {
        start(QUEUE, 1000);
        find(NOTHING);
        polls.end();
        assertThat(answers).containsExactly(NOTHING);
        start(QUEUE, 1000);
        find(NOTHING);
        assertThat(answers).hasSize(2);
    }
}
