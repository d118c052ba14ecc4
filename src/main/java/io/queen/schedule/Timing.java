package io.queen.schedule;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.queen.message.QueenException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The times of a schedule: pure, without a clock. */
interface Timing {
    /** The first time after that moment; null when none comes any more. */
    Instant next(Instant after);

    /** The last time that is not after that moment; null when there is none. */
    Instant last(Instant until);

    /**
     * By a cron expression of five fields, as crontab has it, or a name such as {@code @daily}. A local time that a day does not
     * have is left out on that day. One that a day has twice counts once, at the first, when the expression names single hours,
     * and each time when it runs through the hours.
     *
     * @param text the expression, no longer than {@link #MAX_LENGTH}: what it costs to read one grows with it
     */
    static Timing cron(String text, String zone) {
        return new Cron(expression(text), zone(zone));
    }

    /** At the start and each so many seconds after it. */
    static Timing interval(Instant start, int seconds) {
        return new Interval(start.getEpochSecond(), seconds);
    }

    /** Longer expressions are refused. */
    int MAX_LENGTH = 255;

    private static ExecutionTime expression(String text) {
        // The library would take several expressions with bars between them.
        if (text.length() > MAX_LENGTH || text.indexOf('|') >= 0) {
            throw QueenException.invalid("cron", "must be one expression of at most " + MAX_LENGTH + " characters");
        }
        try {
            return ExecutionTime.forCron(Cron.PARSER.parse(text));
        } catch (IllegalArgumentException e) {
            throw QueenException.invalid(
                    "cron",
                    "must have five fields (minute hour day month weekday), or be a name such as @daily: " + reason(e));
        }
    }

    /** The library's, which names the value, without its preface. */
    private static String reason(IllegalArgumentException failure) {
        return String.valueOf(failure.getMessage())
                .replaceFirst("^Failed to parse (cron expression|'[^']*')[.:]? ?", "");
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw QueenException.invalid("timeZone", "must be the name of a time zone, such as Europe/Berlin or UTC");
        }
    }

    /** With the library's times. */
    record Cron(ExecutionTime times, ZoneId zone) implements Timing {
        private static final CronParser PARSER = new CronParser(definition());

        private static CronDefinition definition() {
            return CronDefinitionBuilder.defineCron()
                    .withMinutes()
                    .withStrictRange()
                    .and()
                    .withHours()
                    .withStrictRange()
                    .and()
                    .withDayOfMonth()
                    .withStrictRange()
                    .and()
                    .withMonth()
                    .withStrictRange()
                    .and()
                    .withDayOfWeek()
                    .withValidRange(0, 7)
                    .withMondayDoWValue(1)
                    .withIntMapping(7, 0)
                    .withStrictRange()
                    .and()
                    .withSupportedNicknameYearly()
                    .withSupportedNicknameAnnually()
                    .withSupportedNicknameMonthly()
                    .withSupportedNicknameWeekly()
                    .withSupportedNicknameDaily()
                    .withSupportedNicknameMidnight()
                    .withSupportedNicknameHourly()
                    .instance();
        }

        /** A time that is not later would be due for ever: none is better. */
        @Override
        public Instant next(Instant after) {
            return instant(times.nextExecution(after.atZone(zone))
                    .filter(time -> time.toInstant().isAfter(after)));
        }

        /** The library's is before the moment, and a time has no parts of a second. */
        @Override
        public Instant last(Instant until) {
            Instant after = until.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
            return instant(times.lastExecution(after.atZone(zone)));
        }

        private static Instant instant(Optional<ZonedDateTime> time) {
            return time.map(ZonedDateTime::toInstant).orElse(null);
        }
    }

    /** In whole seconds since 1970. */
    record Interval(long start, int seconds) implements Timing {
        @Override
        public Instant next(Instant after) {
            long since = after.getEpochSecond() - start;
            return Instant.ofEpochSecond(since < 0 ? start : start + (since / seconds + 1) * seconds);
        }

        @Override
        public Instant last(Instant until) {
            long since = until.getEpochSecond() - start;
            return since < 0 ? null : Instant.ofEpochSecond(start + since / seconds * seconds);
        }
    }
}
