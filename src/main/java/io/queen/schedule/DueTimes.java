package io.queen.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The times of a schedule to fire now: a pure function of the schedule and the clock.
 *
 * @param times in order, none when all that was due is left out
 * @param next the first time after them; it may be due as well when there are many
 * @param skipped whether some are left out
 */
record DueTimes(List<Instant> times, Instant next, boolean skipped) {
    /** Later than this is missed. Less is what a busy machine, a restart or a failover costs, and fires in any case. */
    static final Duration GRACE = Duration.ofMinutes(1);

    /**
     * @param nextAt the first time that has not been fired, which is not after now
     * @param limit so many times at most
     */
    static DueTimes of(Timing timing, Instant nextAt, Missed missed, Instant now, int limit) {
        Instant first = first(timing, nextAt, missed, now);
        List<Instant> times = new ArrayList<>();
        Instant time = first;
        while (time != null && !time.isAfter(now) && times.size() < limit) {
            times.add(time);
            time = timing.next(time);
        }
        return new DueTimes(times, time, !nextAt.equals(first));
    }

    private static Instant first(Timing timing, Instant nextAt, Missed missed, Instant now) {
        Instant inTime = now.minus(GRACE);
        if (missed == Missed.ALL || !nextAt.isBefore(inTime)) {
            return nextAt;
        }
        Instant newest = missed == Missed.LAST ? newest(timing, nextAt, now) : null;
        return newest != null && newest.isBefore(inTime) ? newest : timing.next(inTime);
    }

    /** Where a schedule goes on that was paused until now: due times of the pause are missed, however short it was. */
    static Instant afterPause(Timing timing, Instant nextAt, Missed missed, Instant now) {
        if (nextAt == null || nextAt.isAfter(now)) {
            return nextAt;
        }
        return switch (missed) {
            case NONE -> timing.next(now);
            case LAST -> newest(timing, nextAt, now);
            case ALL -> nextAt;
        };
    }

    /** Never before the one that is known to be due: what was before it has been fired. */
    private static Instant newest(Timing timing, Instant nextAt, Instant now) {
        Instant last = timing.last(now);
        return last == null || last.isBefore(nextAt) ? nextAt : last;
    }
}
