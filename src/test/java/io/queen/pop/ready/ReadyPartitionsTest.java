package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Found;
import io.queen.pop.ready.ReadyQuestions.Question;
import io.queen.runtime.FakeTimers;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadyPartitionsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 5 * SECOND;
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID LEASE = new UUID(9, 9);
    private static final UUID C = new UUID(0, 3);

    private final FakeTimers timers = new FakeTimers();
    private final WaitList waitList = ReadyFixtures.waitList(timers);
    private final ReadyPartitions ready = new ReadyPartitions("q", "g", waitList);
    private int woken;

    private boolean park() {
        return ready.park(new Waiter(Runnable::run, () -> woken++), waitList.news(), NOW);
    }

    private static Answer news(String mark, String lastName, UUID partition, long dueMillis) {
        return new Answer(List.of(new Found(partition, dueMillis)), lastName, mark);
    }

    private static Answer nothing(String mark, String lastName) {
        return new Answer(List.of(), lastName, mark);
    }

    @Test
    void take_severalReady_areServedInTheOrderTheyCame() {
        List.of(A, B, C).forEach(ready::pushed);
        assertThat(ready.take(2, NOW)).containsExactly(A, B);
        assertThat(ready.take(5, NOW)).containsExactly(C);
        assertThat(ready.take(5, NOW)).isEmpty();
    }

    /** Or two servers would try the same partitions at the same time. */
    @Test
    void answer_manyPartitions_comeInARandomOrder() {
        List<UUID> first = takenAfterScan(new ReadyPartitions("q", "g", waitList), 1000);
        List<UUID> second = takenAfterScan(new ReadyPartitions("q", "g", waitList), 1000);
        assertThat(first).hasSize(1000).containsExactlyInAnyOrderElementsOf(second);
        assertThat(first).isNotEqualTo(second);
        assertThat(takenAfterScan(new ReadyPartitions("q", "g", waitList), 100))
                .isEqualTo(takenAfterScan(new ReadyPartitions("q", "g", waitList), 100));
    }

    @Test
    void answer_manyPartitions_keepTheirTimes() {
        List<Found> all = Stream.generate(UUID::randomUUID)
                .limit(1000)
                .map(id -> new Found(id, id.getLeastSignificantBits() & 1))
                .toList();
        ready.answer(ready.question(NOW), new Answer(all, null, "1"), NOW, NOW);
        assertThat(ready.take(1000, NOW))
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .filter(one -> one.dueMillis() == 0)
                        .map(Found::partition)
                        .toList());
    }

    private static List<UUID> takenAfterScan(ReadyPartitions ready, int count) {
        List<Found> all = IntStream.range(0, count)
                .mapToObj(i -> new Found(new UUID(1, i), 0))
                .toList();
        ready.answer(ready.question(NOW), new Answer(all, null, "1"), NOW, NOW);
        return ready.take(count, NOW);
    }

    @Test
    void pushed_twice_isOneTurn() {
        ready.pushed(A);
        ready.pushed(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
        assertThat(ready.take(9, NOW)).isEmpty();
    }

    @Test
    void served_moreIsLeft_goesToTheEnd() {
        List.of(A, B).forEach(ready::pushed);
        ready.take(1, NOW);
        ready.served(A);
        assertThat(ready.take(9, NOW)).containsExactly(B, A);
    }

    @Test
    void putBack_notNeeded_isTheNext() {
        List.of(A, B).forEach(ready::pushed);
        ready.take(1, NOW);
        ready.putBack(A);
        assertThat(ready.take(9, NOW)).containsExactly(A, B);
    }

    @Test
    void putBack_twice_isOneTurn() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.putBack(A);
        ready.putBack(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_empty_isGone() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).isEmpty();
        assertThat(ready.dueMillis(NOW)).isEqualTo(-1);
    }

    @Test
    void forget_newsWhileTaken_isServedAgain() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.pushed(A);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_foundByALookWhileTaken_isServedAgain() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.answer(new Question("q", "g", "1", null), news("2", null, A, 0), NOW, NOW);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_foundLeasedByALookWhileTaken_isServedAgain() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.answer(new Question("q", "g", "1", null), news("2", null, A, 300_000), NOW, NOW);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void defer_untilDue_isNotOffered() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.defer(A, 1000, NOW);
        assertThat(ready.dueMillis(NOW)).isBetween(1000L, 1001L);
        assertThat(ready.take(9, NOW + SECOND - 1)).isEmpty();
        assertThat(ready.take(9, NOW + SECOND)).containsExactly(A);
    }

    @Test
    void freed_layingAside_isOfferedAtOnce() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.defer(A, 300_000, NOW);
        ready.freed(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
        ready.defer(A, 600_000, NOW);
        assertThat(ready.take(9, NOW + 300 * SECOND)).isEmpty();
    }

    @Test
    void freed_whileTaken_isNotForgotten() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.freed(A);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_layingAside_isForgotten() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.leased(A, LEASE, 1000, NOW);
        ready.drained(A, LEASE);
        assertThat(ready.take(9, NOW + 9 * SECOND)).isEmpty();
        ready.pushed(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_pushHeardOfBeforeTheAck_isServedAndWakes() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.leased(A, LEASE, 300_000, NOW);
        assertThat(park()).isTrue();
        ready.pushed(A);
        ready.drained(A, LEASE);
        assertThat(woken).isEqualTo(1);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_byAnotherLease_isNotForgotten() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.leased(A, LEASE, 300_000, NOW);
        ready.drained(A, new UUID(9, 10));
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_ackWithoutLease_isNotForgotten() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.leased(A, LEASE, 300_000, NOW);
        ready.drained(A, null);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void defer_manyTimes_leavesNoNotes() {
        ready.pushed(A);
        for (int i = 0; i < 10_000; i++) {
            ready.take(1, NOW);
            ready.defer(A, 300_000, NOW + i);
            ready.freed(A);
        }
        assertThat(ready.dueMillis(NOW)).isEqualTo(-1);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void park_somethingReady_isRefused() {
        ready.pushed(A);
        assertThat(park()).isFalse();
    }

    @Test
    void pushed_parked_wakesOne() {
        assertThat(park()).isTrue();
        assertThat(park()).isTrue();
        ready.pushed(A);
        assertThat(woken).isEqualTo(1);
        ready.pushed(B);
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void park_somethingDeferred_isWokenWhenItIsDue() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.defer(A, 700, NOW);
        assertThat(park()).isTrue();
        assertThat(timers.delays()).containsExactly(100L, 701L);
    }

    @Test
    void defer_whileAPopWaits_isWokenWhenItIsDue() {
        ready.pushed(A);
        ready.take(1, NOW);
        assertThat(park()).isTrue();
        ready.defer(A, 700, NOW);
        assertThat(timers.delays()).containsExactly(100L, 701L);
    }

    @Test
    void defer_sooner_isArmedToo() {
        List.of(A, B, C).forEach(ready::pushed);
        ready.take(3, NOW);
        assertThat(park()).isTrue();
        ready.defer(A, 700, NOW);
        ready.defer(B, 900, NOW);
        ready.defer(C, 500, NOW);
        assertThat(timers.delays()).containsExactly(100L, 701L, 501L);
    }

    /** A timer that is not needed any more stays until it fires: not for the years that a message may wait. */
    @Test
    void defer_forYears_isArmedForAMinute() {
        ready.pushed(A);
        ready.take(1, NOW);
        assertThat(park()).isTrue();
        ready.defer(A, 315_360_000_000L, NOW);
        assertThat(timers.delays()).endsWith(60_000L);
    }

    @Test
    void question_atFirst_isAScan() {
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", null, null));
    }

    @Test
    void answer_scanInPages_goesOnAndThenAsksTheLogFromTheBeginningOfTheScan() {
        Question first = ready.question(NOW);
        assertThat(ready.answer(first, nothing("10", "m"), NOW, NOW)).isFalse();
        Question second = ready.question(NOW);
        assertThat(second).isEqualTo(new Question("q", "g", null, "m"));
        ready.answer(second, nothing("20", null), NOW, NOW);
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", "10", null));
    }

    @Test
    void answer_log_isCompleteAndMovesTheMark() {
        ready.answer(ready.question(NOW), nothing("10", null), NOW, NOW);
        assertThat(ready.answer(ready.question(NOW), news("30", null, A, 0), NOW, NOW))
                .isTrue();
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", "30", null));
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void answer_markOfAnEarlierLife_isAScanAgain() {
        ready.answer(ready.question(NOW), nothing("10", null), NOW, NOW);
        Question old = ready.question(NOW);
        assertThat(ready.answer(old, nothing(null, null), NOW, NOW)).isFalse();
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", null, null));
        ready.answer(ready.question(NOW), nothing("3", null), NOW, NOW);
        assertThat(ready.answer(old, nothing(null, null), NOW, NOW)).isFalse();
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", "3", null));
    }

    @Test
    void question_markTooOld_isAScanAgain() {
        ready.answer(ready.question(NOW), nothing("10", null), NOW, NOW);
        assertThat(ready.question(NOW + 29 * SECOND).mark()).isEqualTo("10");
        assertThat(ready.question(NOW + 31 * SECOND)).isEqualTo(new Question("q", "g", null, null));
    }

    @Test
    void answer_scanThatTookTooLong_isNotTrusted() {
        ready.answer(ready.question(NOW), nothing("10", "m"), NOW, NOW);
        long late = NOW + 60 * SECOND;
        assertThat(ready.answer(ready.question(late), nothing("20", null), late, late))
                .isFalse();
        assertThat(ready.question(late)).isEqualTo(new Question("q", "g", null, null));
    }

    @Test
    void answer_secondScanOverlaps_doesNotMoveTheFirstOne() {
        Question one = ready.question(NOW);
        Question two = ready.question(NOW);
        ready.answer(one, nothing("10", "m"), NOW, NOW);
        Question further = ready.question(NOW);
        ready.answer(further, nothing("15", "r"), NOW, NOW);
        Question last = ready.question(NOW);
        ready.answer(two, nothing("20", "m"), NOW, NOW);
        ready.answer(last, nothing("25", null), NOW, NOW);
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", "10", null));
    }

    @Test
    void answer_lateScanAfterTheMarkIsKnown_startsNoNewScan() {
        Question one = ready.question(NOW);
        Question two = ready.question(NOW);
        ready.answer(one, nothing("10", null), NOW, NOW);
        ready.answer(two, nothing("12", "m"), NOW, NOW);
        assertThat(ready.question(NOW + 31 * SECOND)).isEqualTo(new Question("q", "g", null, null));
    }

    @Test
    void answer_leasedPartition_isDeferredUntilItsTime() {
        ready.answer(ready.question(NOW), news("10", null, A, 2000), NOW, NOW);
        assertThat(ready.take(9, NOW)).isEmpty();
        assertThat(ready.take(9, NOW + 2 * SECOND)).containsExactly(A);
    }

    @Test
    void answer_freeAgain_isBroughtBackFromThere() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.defer(A, 300_000, NOW);
        ready.answer(new Question("q", "g", "1", null), news("10", null, A, 0), NOW, NOW);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void answer_news_wakesAsManyAsItFound() {
        park();
        park();
        park();
        Answer two = new Answer(List.of(new Found(A, 0), new Found(B, 0)), null, "10");
        ready.answer(ready.question(NOW), two, NOW, NOW);
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void restart_groupMoved_looksForAllAnewAndWakesAll() {
        List.of(A, B).forEach(ready::pushed);
        ready.take(2, NOW);
        ready.leased(A, LEASE, 300_000, NOW);
        ready.forget(B);
        ready.answer(ready.question(NOW), nothing("7", null), NOW, NOW);
        assertThat(ready.question(NOW).mark()).isEqualTo("7");
        assertThat(park()).isTrue();
        assertThat(park()).isTrue();
        ready.restart();
        assertThat(woken).isEqualTo(2);
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", null, null));
        ready.answer(ready.question(NOW), news("8", null, A, 0), NOW, NOW);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    /** Or what the group was moved to would never be looked for. */
    @Test
    void restart_answerUnderWay_doesNotEndTheScan() {
        ready.answer(ready.question(NOW), nothing("7", null), NOW, NOW);
        long asked = timers.nanos();
        Question changes = ready.question(NOW);
        timers.pass(1);
        ready.restart();
        assertThat(ready.answer(changes, nothing("8", null), asked, NOW)).isFalse();
        Question scan = ready.question(NOW);
        assertThat(scan).isEqualTo(new Question("q", "g", null, null));
        ready.restart();
        assertThat(ready.answer(scan, nothing("9", null), asked, NOW)).isFalse();
        assertThat(ready.question(NOW)).isEqualTo(new Question("q", "g", null, null));
    }

    @Test
    void restart_whileTaken_isNotUndoneByWhatWasSeenBefore() {
        ready.pushed(A);
        ready.take(1, NOW);
        ready.restart();
        ready.answer(ready.question(NOW), news("8", null, A, 0), NOW, NOW);
        ready.forget(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void endCheck_partitionsWithNothing_areForgotten() {
        List.of(A, B, C).forEach(ready::pushed);
        ready.endCheck(ready.beginCheck(9, NOW), List.of(new Found(B, 0)), NOW);
        assertThat(ready.take(9, NOW)).containsExactly(B);
    }

    @Test
    void endCheck_beyondTheCount_areLeftAlone() {
        List.of(A, B, C).forEach(ready::pushed);
        ready.endCheck(ready.beginCheck(2, NOW), List.of(), NOW);
        assertThat(ready.take(9, NOW)).containsExactly(C);
    }

    @Test
    void endCheck_leasedByAnother_isDeferredUntilDue() {
        ready.pushed(A);
        ready.endCheck(ready.beginCheck(9, NOW), List.of(new Found(A, 1000)), NOW);
        assertThat(ready.take(9, NOW)).isEmpty();
        assertThat(ready.take(9, NOW + SECOND)).containsExactly(A);
    }

    @Test
    void endCheck_newsSinceTheLookBegan_isNotForgotten() {
        ready.pushed(A);
        UUID[] check = ready.beginCheck(9, NOW);
        ready.pushed(A);
        ready.endCheck(check, List.of(), NOW);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void endCheck_newsThenTakenAndPutBack_isNotForgotten() {
        ready.pushed(A);
        UUID[] check = ready.beginCheck(9, NOW);
        ready.pushed(A);
        ready.take(1, NOW);
        ready.putBack(A);
        ready.endCheck(check, List.of(), NOW);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }

    @Test
    void endCheck_taken_isLeftToWhoTookIt() {
        ready.pushed(A);
        UUID[] check = ready.beginCheck(9, NOW);
        ready.take(1, NOW);
        ready.endCheck(check, List.of(), NOW);
        ready.putBack(A);
        assertThat(ready.take(9, NOW)).containsExactly(A);
    }
}
