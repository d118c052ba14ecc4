package io.queen.bench;

import java.time.Duration;

/** The time of a round, in nanoseconds of {@link System#nanoTime}: it starts, counts from {@code from}, and ends. */
record Window(long start, long from, long end) {
    static Window startingNow(Settings settings) {
        long now = System.nanoTime();
        long from = now + settings.warmup().toNanos();
        return new Window(now, from, from + settings.duration().toNanos());
    }

    /** From now on, without a warm-up. */
    static Window of(Duration span) {
        long now = System.nanoTime();
        return new Window(now, now, now + span.toNanos());
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
