package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.pop.ready.ReadyStore.News;
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
    private final WaitList parking = timers.parking();
    private final ReadyPartitions ring = new ReadyPartitions(parking);
    private int woken;

    private boolean park() {
        return ring.park(new Waiter(Runnable::run, () -> woken++), parking.news(), NOW);
    }

    private static News news(String mark, String lastName, UUID partition, long dueMillis) {
        return new News(new UUID[] {partition}, new Long[] {dueMillis}, lastName, mark);
    }

    private static News nothing(String mark, String lastName) {
        return new News(new UUID[0], new Long[0], lastName, mark);
    }

    @Test
    void take_severalReady_areServedInTheOrderTheyCame() {
        List.of(A, B, C).forEach(ring::news);
        assertThat(ring.take(2, NOW)).containsExactly(A, B);
        assertThat(ring.take(5, NOW)).containsExactly(C);
        assertThat(ring.take(5, NOW)).isEmpty();
    }

    /** Or two servers would try the same partitions at the same time. */
    @Test
    void answer_manyPartitions_comeInAnOrderOfTheRingsOwn() {
        List<UUID> first = takenAfterSweep(new ReadyPartitions(parking), 1000);
        List<UUID> second = takenAfterSweep(new ReadyPartitions(parking), 1000);
        assertThat(first).hasSize(1000).containsExactlyInAnyOrderElementsOf(second);
        assertThat(first).isNotEqualTo(second);
        assertThat(takenAfterSweep(new ReadyPartitions(parking), 100))
                .isEqualTo(takenAfterSweep(new ReadyPartitions(parking), 100));
    }

    @Test
    void answer_manyPartitions_keepTheirTimes() {
        UUID[] ids = Stream.generate(UUID::randomUUID).limit(1000).toArray(UUID[]::new);
        Long[] due = Stream.of(ids).map(id -> id.getLeastSignificantBits() & 1).toArray(Long[]::new);
        ring.answer(ring.question(NOW), new News(ids.clone(), due, null, "1"), NOW, NOW);
        assertThat(ring.take(1000, NOW))
                .containsExactlyInAnyOrderElementsOf(Stream.of(ids)
                        .filter(id -> (id.getLeastSignificantBits() & 1) == 0)
                        .toList());
    }

    private static List<UUID> takenAfterSweep(ReadyPartitions ring, int count) {
        UUID[] ids = IntStream.range(0, count).mapToObj(i -> new UUID(1, i)).toArray(UUID[]::new);
        Long[] due = Stream.generate(() -> 0L).limit(count).toArray(Long[]::new);
        ring.answer(ring.question(NOW), new News(ids, due, null, "1"), NOW, NOW);
        return ring.take(count, NOW);
    }

    @Test
    void news_twice_isOneTurn() {
        ring.news(A);
        ring.news(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
        assertThat(ring.take(9, NOW)).isEmpty();
    }

    @Test
    void served_moreIsLeft_goesToTheEnd() {
        List.of(A, B).forEach(ring::news);
        ring.take(1, NOW);
        ring.served(A);
        assertThat(ring.take(9, NOW)).containsExactly(B, A);
    }

    @Test
    void putBack_notNeeded_isTheNext() {
        List.of(A, B).forEach(ring::news);
        ring.take(1, NOW);
        ring.putBack(A);
        assertThat(ring.take(9, NOW)).containsExactly(A, B);
    }

    @Test
    void putBack_twice_isOneTurn() {
        ring.news(A);
        ring.take(1, NOW);
        ring.putBack(A);
        ring.putBack(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_empty_isGone() {
        ring.news(A);
        ring.take(1, NOW);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).isEmpty();
        assertThat(ring.dueMillis(NOW)).isEqualTo(-1);
    }

    @Test
    void forget_newsWhileTaken_isServedAgain() {
        ring.news(A);
        ring.take(1, NOW);
        ring.news(A);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_foundByALookWhileTaken_isServedAgain() {
        ring.news(A);
        ring.take(1, NOW);
        ring.answer(new ReadyPartitions.Question("1", null), news("2", null, A, 0), NOW, NOW);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void forget_foundLeasedByALookWhileTaken_isServedAgain() {
        ring.news(A);
        ring.take(1, NOW);
        ring.answer(new ReadyPartitions.Question("1", null), news("2", null, A, 300_000), NOW, NOW);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void layAside_untilDue_isNotOffered() {
        ring.news(A);
        ring.take(1, NOW);
        ring.layAside(A, 1000, NOW);
        assertThat(ring.dueMillis(NOW)).isBetween(1000L, 1001L);
        assertThat(ring.take(9, NOW + SECOND - 1)).isEmpty();
        assertThat(ring.take(9, NOW + SECOND)).containsExactly(A);
    }

    @Test
    void freed_layingAside_isOfferedAtOnce() {
        ring.news(A);
        ring.take(1, NOW);
        ring.layAside(A, 300_000, NOW);
        ring.freed(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
        ring.layAside(A, 600_000, NOW);
        assertThat(ring.take(9, NOW + 300 * SECOND)).isEmpty();
    }

    @Test
    void freed_whileTaken_isNotForgotten() {
        ring.news(A);
        ring.take(1, NOW);
        ring.freed(A);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_layingAside_isForgotten() {
        ring.news(A);
        ring.take(1, NOW);
        ring.leased(A, LEASE, 1000, NOW);
        ring.drained(A, LEASE);
        assertThat(ring.take(9, NOW + 9 * SECOND)).isEmpty();
        ring.news(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_pushHeardOfBeforeTheAck_isServedAndWakes() {
        ring.news(A);
        ring.take(1, NOW);
        ring.leased(A, LEASE, 300_000, NOW);
        assertThat(park()).isTrue();
        ring.news(A);
        ring.drained(A, LEASE);
        assertThat(woken).isEqualTo(1);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_byAnotherLease_isNotForgotten() {
        ring.news(A);
        ring.take(1, NOW);
        ring.leased(A, LEASE, 300_000, NOW);
        ring.drained(A, new UUID(9, 10));
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void drained_ackWithoutLease_isNotForgotten() {
        ring.news(A);
        ring.take(1, NOW);
        ring.leased(A, LEASE, 300_000, NOW);
        ring.drained(A, null);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void layAside_manyTimes_doesNotGrow() {
        ring.news(A);
        for (int i = 0; i < 10_000; i++) {
            ring.take(1, NOW);
            ring.layAside(A, 300_000, NOW + i);
            ring.freed(A);
        }
        assertThat(ring.asideSize()).isLessThan(200);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void park_somethingReady_isRefused() {
        ring.news(A);
        assertThat(park()).isFalse();
    }

    @Test
    void news_parked_wakesOne() {
        assertThat(park()).isTrue();
        assertThat(park()).isTrue();
        ring.news(A);
        assertThat(woken).isEqualTo(1);
        ring.news(B);
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void park_somethingLiesAside_isWokenWhenItIsDue() {
        ring.news(A);
        ring.take(1, NOW);
        ring.layAside(A, 700, NOW);
        assertThat(park()).isTrue();
        assertThat(timers.delays()).containsExactly(100L, 701L);
    }

    @Test
    void layAside_whileSomebodyWaits_isWokenWhenItIsDue() {
        ring.news(A);
        ring.take(1, NOW);
        assertThat(park()).isTrue();
        ring.layAside(A, 700, NOW);
        assertThat(timers.delays()).containsExactly(100L, 701L);
    }

    @Test
    void layAside_sooner_isArmedToo() {
        List.of(A, B, C).forEach(ring::news);
        ring.take(3, NOW);
        assertThat(park()).isTrue();
        ring.layAside(A, 700, NOW);
        ring.layAside(B, 900, NOW);
        ring.layAside(C, 500, NOW);
        assertThat(timers.delays()).containsExactly(100L, 701L, 501L);
    }

    @Test
    void question_atFirst_isASweep() {
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question(null, null));
    }

    @Test
    void answer_sweepInSteps_goesOnAndThenAsksTheLogFromTheBeginningOfTheSweep() {
        ReadyPartitions.Question first = ring.question(NOW);
        assertThat(ring.answer(first, nothing("10", "m"), NOW, NOW)).isFalse();
        ReadyPartitions.Question second = ring.question(NOW);
        assertThat(second).isEqualTo(new ReadyPartitions.Question(null, "m"));
        ring.answer(second, nothing("20", null), NOW, NOW);
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question("10", null));
    }

    @Test
    void answer_log_isCompleteAndMovesTheMark() {
        ring.answer(ring.question(NOW), nothing("10", null), NOW, NOW);
        assertThat(ring.answer(ring.question(NOW), news("30", null, A, 0), NOW, NOW))
                .isTrue();
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question("30", null));
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void answer_markOfAnEarlierLife_isASweepAgain() {
        ring.answer(ring.question(NOW), nothing("10", null), NOW, NOW);
        ReadyPartitions.Question old = ring.question(NOW);
        assertThat(ring.answer(old, nothing(null, null), NOW, NOW)).isFalse();
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question(null, null));
        ring.answer(ring.question(NOW), nothing("3", null), NOW, NOW);
        assertThat(ring.answer(old, nothing(null, null), NOW, NOW)).isFalse();
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question("3", null));
    }

    @Test
    void question_markTooOld_isASweepAgain() {
        ring.answer(ring.question(NOW), nothing("10", null), NOW, NOW);
        assertThat(ring.question(NOW + 29 * SECOND).mark()).isEqualTo("10");
        assertThat(ring.question(NOW + 31 * SECOND)).isEqualTo(new ReadyPartitions.Question(null, null));
    }

    @Test
    void answer_sweepThatTookTooLong_isNotTrusted() {
        ring.answer(ring.question(NOW), nothing("10", "m"), NOW, NOW);
        long late = NOW + 60 * SECOND;
        assertThat(ring.answer(ring.question(late), nothing("20", null), late, late))
                .isFalse();
        assertThat(ring.question(late)).isEqualTo(new ReadyPartitions.Question(null, null));
    }

    @Test
    void answer_secondSweepOverlaps_doesNotMoveTheFirstOne() {
        ReadyPartitions.Question one = ring.question(NOW);
        ReadyPartitions.Question two = ring.question(NOW);
        ring.answer(one, nothing("10", "m"), NOW, NOW);
        ReadyPartitions.Question further = ring.question(NOW);
        ring.answer(further, nothing("15", "r"), NOW, NOW);
        ReadyPartitions.Question last = ring.question(NOW);
        ring.answer(two, nothing("20", "m"), NOW, NOW);
        ring.answer(last, nothing("25", null), NOW, NOW);
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question("10", null));
    }

    @Test
    void answer_lateSweepAfterTheMarkIsKnown_startsNoNewSweep() {
        ReadyPartitions.Question one = ring.question(NOW);
        ReadyPartitions.Question two = ring.question(NOW);
        ring.answer(one, nothing("10", null), NOW, NOW);
        ring.answer(two, nothing("12", "m"), NOW, NOW);
        assertThat(ring.question(NOW + 31 * SECOND)).isEqualTo(new ReadyPartitions.Question(null, null));
    }

    @Test
    void answer_leasedPartition_liesAsideUntilItsTime() {
        ring.answer(ring.question(NOW), news("10", null, A, 2000), NOW, NOW);
        assertThat(ring.take(9, NOW)).isEmpty();
        assertThat(ring.take(9, NOW + 2 * SECOND)).containsExactly(A);
    }

    @Test
    void answer_freeAgain_isBroughtBackFromAside() {
        ring.news(A);
        ring.take(1, NOW);
        ring.layAside(A, 300_000, NOW);
        ring.answer(new ReadyPartitions.Question("1", null), news("10", null, A, 0), NOW, NOW);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void answer_news_wakesAsManyAsItFound() {
        park();
        park();
        park();
        News two = new News(new UUID[] {A, B}, new Long[] {0L, 0L}, null, "10");
        ring.answer(ring.question(NOW), two, NOW, NOW);
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void restart_groupMoved_looksForAllAnewAndWakesAll() {
        List.of(A, B).forEach(ring::news);
        ring.take(2, NOW);
        ring.leased(A, LEASE, 300_000, NOW);
        ring.forget(B);
        ring.answer(ring.question(NOW), nothing("7", null), NOW, NOW);
        assertThat(ring.question(NOW).mark()).isEqualTo("7");
        assertThat(park()).isTrue();
        assertThat(park()).isTrue();
        ring.restart();
        assertThat(woken).isEqualTo(2);
        assertThat(ring.question(NOW)).isEqualTo(new ReadyPartitions.Question(null, null));
        ring.answer(ring.question(NOW), news("8", null, A, 0), NOW, NOW);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void restart_whileTaken_isNotUndoneByWhatWasSeenBefore() {
        ring.news(A);
        ring.take(1, NOW);
        ring.restart();
        ring.answer(ring.question(NOW), news("8", null, A, 0), NOW, NOW);
        ring.forget(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void sifted_suspectsWithNothing_areForgotten() {
        List.of(A, B, C).forEach(ring::news);
        ring.sifted(ring.suspects(9, NOW), news(null, null, B, 0), NOW);
        assertThat(ring.take(9, NOW)).containsExactly(B);
    }

    @Test
    void sifted_beyondTheCount_areLeftAlone() {
        List.of(A, B, C).forEach(ring::news);
        ring.sifted(ring.suspects(2, NOW), nothing(null, null), NOW);
        assertThat(ring.take(9, NOW)).containsExactly(C);
    }

    @Test
    void sifted_leasedByAnother_liesAsideUntilDue() {
        ring.news(A);
        ring.sifted(ring.suspects(9, NOW), news(null, null, A, 1000), NOW);
        assertThat(ring.take(9, NOW)).isEmpty();
        assertThat(ring.take(9, NOW + SECOND)).containsExactly(A);
    }

    @Test
    void sifted_newsSinceTheLookBegan_isNotForgotten() {
        ring.news(A);
        UUID[] suspects = ring.suspects(9, NOW);
        ring.news(A);
        ring.sifted(suspects, nothing(null, null), NOW);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void sifted_newsThenTakenAndPutBack_isNotForgotten() {
        ring.news(A);
        UUID[] suspects = ring.suspects(9, NOW);
        ring.news(A);
        ring.take(1, NOW);
        ring.putBack(A);
        ring.sifted(suspects, nothing(null, null), NOW);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }

    @Test
    void sifted_taken_isLeftToWhoTookIt() {
        ring.news(A);
        UUID[] suspects = ring.suspects(9, NOW);
        ring.take(1, NOW);
        ring.sifted(suspects, nothing(null, null), NOW);
        ring.putBack(A);
        assertThat(ring.take(9, NOW)).containsExactly(A);
    }
}
