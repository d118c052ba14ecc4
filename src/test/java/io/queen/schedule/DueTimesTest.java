package io.queen.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DueTimesTest {
    private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
    private static final Timing HOURLY = Timing.cron("@hourly", "UTC");
    private static final Timing SECONDS = Timing.interval(Instant.parse("2026-01-01T00:00:00Z"), 1);

    private static Instant at(String time) {
        return Instant.parse("2026-11-18T" + time + "Z");
    }

    @ParameterizedTest
    @EnumSource(Missed.class)
    void due_inTime_fires(Missed missed) {
        assertThat(DueTimes.of(HOURLY, NOON, missed, at("12:00:59"), 100))
                .isEqualTo(new DueTimes(List.of(NOON), at("13:00:00"), false));
    }

    @Test
    void missed_none_areLeftOut() {
        assertThat(DueTimes.of(HOURLY, at("08:00:00"), Missed.NONE, at("12:30:00"), 100))
                .isEqualTo(new DueTimes(List.of(), at("13:00:00"), true));
        assertThat(DueTimes.of(HOURLY, at("08:00:00"), Missed.NONE, at("12:00:30"), 100))
                .isEqualTo(new DueTimes(List.of(NOON), at("13:00:00"), true));
    }

    @Test
    void missed_last_firesTheNewest() {
        assertThat(DueTimes.of(HOURLY, at("08:00:00"), Missed.LAST, at("12:30:00"), 100))
                .isEqualTo(new DueTimes(List.of(NOON), at("13:00:00"), true));
        assertThat(DueTimes.of(HOURLY, NOON, Missed.LAST, at("12:30:00"), 100))
                .isEqualTo(new DueTimes(List.of(NOON), at("13:00:00"), false));
    }

    @Test
    void missed_all_fireEachInPortions() {
        assertThat(DueTimes.of(HOURLY, at("08:00:00"), Missed.ALL, at("12:30:00"), 3))
                .isEqualTo(
                        new DueTimes(List.of(at("08:00:00"), at("09:00:00"), at("10:00:00")), at("11:00:00"), false));
    }

    @ParameterizedTest
    @CsvSource({"NONE, 60", "LAST, 60", "ALL, 100"})
    void eachSecond_afterAWeek_isBounded(Missed missed, int expected) {
        Instant weekAgo = NOON.minusSeconds(7 * 24 * 60 * 60);
        DueTimes due = DueTimes.of(SECONDS, weekAgo, missed, NOON, 100);
        assertThat(due.times()).hasSize(expected);
        assertThat(due.next()).isEqualTo(due.times().get(expected - 1).plusSeconds(1));
    }

    /** Ten years of an outage cost as little as a minute of it. */
    @ParameterizedTest
    @EnumSource(Missed.class)
    void eachMinute_afterYears_isQuick(Missed missed) {
        Timing minutes = Timing.cron("* * * * *", "Europe/Berlin");
        DueTimes due = DueTimes.of(minutes, Instant.parse("2016-01-01T00:00:00Z"), missed, NOON, 10);
        assertThat(due.times()).hasSizeBetween(1, 10);
    }

    @ParameterizedTest
    @CsvSource({"NONE, 13:00:00", "LAST, 12:00:00", "ALL, 08:00:00"})
    void pause_overDueTimes_endsAsMissedSays(Missed missed, String next) {
        assertThat(DueTimes.afterPause(HOURLY, at("08:00:00"), missed, at("12:00:05")))
                .isEqualTo(at(next));
        assertThat(DueTimes.afterPause(HOURLY, at("13:00:00"), missed, at("12:00:05")))
                .isEqualTo(at("13:00:00"));
    }

    /** In Berlin 02:30 came first at 00:30Z and was fired: its second coming at 01:30Z is not made up for. */
    @Test
    void last_afterATimeThatCameTwice_isNotFiredAgain() {
        Timing timing = Timing.cron("30 2 * * *", "Europe/Berlin");
        Instant next = timing.next(Instant.parse("2026-10-25T00:30:00Z"));
        Instant now = Instant.parse("2026-10-26T01:35:00Z");
        assertThat(DueTimes.of(timing, next, Missed.LAST, now, 10).times())
                .containsExactly(Instant.parse("2026-10-26T01:30:00Z"));
    }
}
