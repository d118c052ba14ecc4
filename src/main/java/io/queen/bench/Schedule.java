package io.queen.bench;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a round starts, counts and ends, and when its requests are due, in nanoseconds of {@link System#nanoTime}.
 *
 * <p>With a rate they are due at even distances, whatever became of those before (an open loop). A request that leaves
 * late, because all connections still wait for answers, counts from when it was due: a server that stands still for a
 * second makes all requests of that second slow, not only those that were under way. Counting from when each left would
 * omit exactly the delays that users feel (coordinated omission).
 *
 * <p>Without a rate each connection asks again as soon as it was answered (a closed loop), and time counts from there.
 */
final class Schedule {
    private final long start;
    private final long from;
    private final long end;
    private final double interval;
    private final AtomicLong taken = new AtomicLong();

    Schedule(long start, Duration warmup, Duration duration, double rate) {
        this.start = start;
        this.from = start + warmup.toNanos();
        this.end = from + duration.toNanos();
        this.interval = rate > 0 ? 1e9 / rate : 0;
    }

    /** After the warm-up. */
    long countingFrom() {
        return from;
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

    /** When the caller's next request is due; in a closed loop that is now. */
    long take(long now) {
        return interval == 0 ? now : start + (long) (taken.getAndIncrement() * interval);
    }

    /**
     * From when a request counts that left at {@code sent}. If a connection was free when it was due, only our own timer
     * was late, and the server is not to blame for that.
     */
    static long countsFrom(long due, boolean wasFree, long sent) {
        return wasFree ? sent : due;
    }

    /** How many were due before the end and have not been taken. */
    long missed() {
        return interval == 0 ? 0 : Math.max(0, (long) Math.ceil((end - start) / interval) - taken.get());
    }
}
