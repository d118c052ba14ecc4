package io.queen.bench;

import java.time.Duration;

/** The time of a round, in nanoseconds of {@link System#nanoTime}: it starts, counts from {@code from}, and ends. */
record MeasuringTime(long start, long from, long end) {
    static MeasuringTime startingNow(Duration warmup, Duration duration) {
        long now = System.nanoTime();
        long from = now + warmup.toNanos();
        return new MeasuringTime(now, from, from + duration.toNanos());
    }

    boolean counts(long time) {
        return time - from >= 0;
    }

    boolean isOver(long now) {
        return now - end >= 0;
    }

    Duration untilCounting(long now) {
        return Duration.ofNanos(Math.max(0, from - now));
    }

    Duration untilEnd(long now) {
        return Duration.ofNanos(Math.max(0, end - now));
    }
}
