package io.queen.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.QueenException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    private static final String BERLIN = "Europe/Berlin";

    private static List<String> next(Timing timing, String after, int count) {
        List<String> times = new ArrayList<>();
        Instant time = Instant.parse(after);
        for (int i = 0; i < count; i++) {
            time = timing.next(time);
            times.add(time.toString());
        }
        return times;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    */5 * * * *     | 2026-11-18T00:05:00Z
                    0 6 * * MON-FRI | 2026-11-18T06:00:00Z
                    0 0 * * 7       | 2026-11-22T00:00:00Z
                    0 0 * * 0       | 2026-11-22T00:00:00Z
                    0 0 13 * 5      | 2026-11-20T00:00:00Z
                    0 0 29 2 *      | 2028-02-29T00:00:00Z
                    @hourly         | 2026-11-18T01:00:00Z
                    @daily          | 2026-11-19T00:00:00Z
                    @weekly         | 2026-11-22T00:00:00Z
                    @monthly        | 2026-12-01T00:00:00Z
                    @yearly         | 2027-01-01T00:00:00Z
                    """)
    void cron_asCrontabHasIt_isUnderstood(String cron, String first) {
        assertThat(next(Timing.cron(cron, "UTC"), "2026-11-18T00:00:00Z", 1)).containsExactly(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "*/0 * * * *",
                "a b c d e",
                "0 22-4 * * *",
                "0 0 L * *",
                "@reboot",
                "@every 5m",
                "-1 * * * *",
                "99999999999999999999 * * * *",
                "*/5 * * * *||0 0 * * *",
                "0 0 * * *; drop table queen.schedules"
            })
    void cron_unreadable_isRefusedByItsField(String cron) {
        assertThatThrownBy(() -> Timing.cron(cron, "UTC"))
                .isInstanceOfSatisfying(
                        QueenException.class, e -> assertThat(e.field()).isEqualTo("cron"));
    }

    @Test
    void cron_long_isRefusedBeforeItIsRead() {
        String longest = "0,1,".repeat(100_000) + "2 * * * *";
        assertThatThrownBy(() -> Timing.cron(longest, "UTC")).isInstanceOf(QueenException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mars/Olympus", "UTC+99", "../../etc/passwd"})
    void timeZone_unknown_isRefusedByItsField(String zone) {
        assertThatThrownBy(() -> Timing.cron("@daily", zone))
                .isInstanceOfSatisfying(
                        QueenException.class, e -> assertThat(e.field()).isEqualTo("timeZone"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 31 2 *", "0 0 31 4,6,9,11 *"})
    void cron_ofNoDay_hasNoNextTime(String cron) {
        assertThat(Timing.cron(cron, BERLIN).next(Instant.parse("2026-11-18T00:00:00Z")))
                .isNull();
    }

    /** In Berlin 2026-03-29 has no 02:30. */
    @Test
    void cron_localTimeThatADayLacks_isLeftOutOnThatDay() {
        assertThat(next(Timing.cron("30 2 * * *", BERLIN), "2026-03-28T00:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z");
    }

    /** In Berlin 2026-10-25 has 02:30 twice. */
    @Test
    void cron_localTimeThatADayHasTwice_countsOnce() {
        assertThat(next(Timing.cron("30 2 * * *", BERLIN), "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    @Test
    void cron_throughTheHours_goesOnOverAChangeOfClocks() {
        Timing timing = Timing.cron("30 * * * *", BERLIN);
        for (String day : List.of("2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z")) {
            Instant time = Instant.parse(day);
            for (int i = 0; i < 6; i++) {
                Instant after = timing.next(time);
                assertThat(after).isEqualTo(Instant.parse(day).plus(Duration.ofMinutes(30 + 60L * i)));
                time = after;
            }
        }
    }

    /** Whatever the library does at a change of clocks, a time never stands still or goes back. */
    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Beirut"})
    void cron_always_goesOn(String zone) {
        for (String cron : List.of("30 2 * * *", "0 0 * * *", "*/15 * * * *", "0 */2 * * *", "15 1 * * 0")) {
            Timing timing = Timing.cron(cron, zone);
            Instant end = Instant.parse("2027-01-01T00:00:00Z");
            Instant time = Instant.parse("2026-01-01T00:00:00Z");
            while (time.isBefore(end)) {
                Instant after = timing.next(time);
                assertThat(after).as("%s %s", cron, zone).isAfter(time).isBefore(time.plus(Duration.ofDays(8)));
                time = after;
            }
        }
    }

    @Test
    void last_always_isTheTimeBeforeWhichNoOtherLies() {
        Random random = new Random(1);
        for (Timing timing : List.of(
                Timing.cron("*/15 * * * *", "UTC"),
                Timing.cron("0 12 31 * *", "America/New_York"),
                Timing.interval(Instant.parse("2025-01-01T00:00:07Z"), 1000))) {
            for (int i = 0; i < 500; i++) {
                Instant now = Instant.parse("2026-01-05T00:00:00Z").plusMillis(random.nextInt(Integer.MAX_VALUE));
                Instant last = timing.last(now);
                assertThat(last).isBeforeOrEqualTo(now);
                assertThat(timing.next(last)).isAfter(now);
                assertThat(timing.last(last)).isEqualTo(last);
                assertThat(timing.last(last.minusMillis(1))).isBefore(last);
            }
        }
    }

    @Test
    void interval_always_countsFromItsStart() {
        Timing timing = Timing.interval(Instant.parse("2026-11-18T08:00:00Z"), 90);
        assertThat(next(timing, "2020-01-01T00:00:00Z", 2))
                .containsExactly("2026-11-18T08:00:00Z", "2026-11-18T08:01:30Z");
        assertThat(next(timing, "2026-11-18T08:01:29.999Z", 1)).containsExactly("2026-11-18T08:01:30Z");
        assertThat(next(timing, "2026-11-18T08:01:30Z", 1)).containsExactly("2026-11-18T08:03:00Z");
        assertThat(timing.last(Instant.parse("2026-11-18T07:59:59Z"))).isNull();
    }
}
