package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long SECOND = 1_000_000_000L;

    private static Schedule schedule(long start, double rate) {
        return new Schedule(start, Duration.ZERO, Duration.ofSeconds(1), rate);
    }

    @Test
    void take_withoutRate_isNow() {
        Schedule schedule = schedule(0, 0);
        assertThat(schedule.take(17)).isEqualTo(17);
        assertThat(schedule.take(42)).isEqualTo(42);
        assertThat(schedule.missed()).isZero();
    }

    @Test
    void take_withRate_isAtEvenDistancesWhateverTheTime() {
        Schedule schedule = schedule(5, 1000);
        assertThat(schedule.take(5)).isEqualTo(5);
        assertThat(schedule.take(9 * SECOND)).isEqualTo(5 + SECOND / 1000);
        assertThat(schedule.take(0)).isEqualTo(5 + 2 * SECOND / 1000);
    }

    /** One connection, a request every 10 ms, answered at once; but the server stands still for a second. */
    @Test
    void take_serverStoodStill_countsAllThatWereDueMeanwhile() {
        Schedule schedule = schedule(0, 100);
        Histogram corrected = new Histogram(3);
        Histogram naive = new Histogram(3);
        long now = 0;
        for (int i = 0; i < 300; i++) {
            long due = schedule.take(now);
            boolean wasFree = due >= now;
            long sent = Math.max(due, now);
            now = sent < SECOND ? Math.max(sent, SECOND) : sent;
            corrected.recordValue(now - Schedule.countsFrom(due, wasFree, sent));
            naive.recordValue(now - sent);
        }
        assertThat(naive.getCountBetweenValues(SECOND / 100, 2 * SECOND)).isEqualTo(1);
        assertThat(corrected.getCountBetweenValues(SECOND / 100, 2 * SECOND)).isBetween(98L, 101L);
        assertThat(corrected.getMaxValue()).isCloseTo(SECOND, Percentage.withPercentage(1));
    }

    @Test
    void countsFrom_connectionWasFree_isWhenItLeft() {
        assertThat(Schedule.countsFrom(100, true, 130)).isEqualTo(130);
        assertThat(Schedule.countsFrom(100, false, 130)).isEqualTo(100);
    }

    @Test
    void missed_serverTooSlow_isWhatWasDueAndNotTaken() {
        Schedule schedule = schedule(0, 10);
        for (int i = 0; i < 4; i++) {
            schedule.take(0);
        }
        assertThat(schedule.missed()).isEqualTo(6);
        Schedule kept = new Schedule(0, Duration.ZERO, Duration.ofMillis(100), 10);
        kept.take(0);
        assertThat(kept.missed()).isZero();
    }
}
