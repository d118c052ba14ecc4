package io.queen.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When requests are due, in nanoseconds of {@link System#nanoTime}.
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
    private final double interval;
    private final AtomicLong taken = new AtomicLong();

    Schedule(long start, double rate) {
        this.start = start;
        this.interval = rate > 0 ? 1e9 / rate : 0;
    }

    /** When the caller's next request is due; in a closed loop that is now. */
    long take(long now) {
        return interval == 0 ? now : due(taken.getAndIncrement());
    }

    /**
     * From when a request counts that left at {@code sent}. If a connection was free when it was due, only our own timer
     * was late, and the server is not to blame for that.
     */
    static long countsFrom(long due, boolean wasFree, long sent) {
        return wasFree ? sent : due;
    }

    /** How many were due before {@code end} and have not been taken. */
    long missed(long end) {
        return interval == 0 ? 0 : Math.max(0, (long) Math.ceil((end - start) / interval) - taken.get());
    }

    private long due(long number) {
        return start + (long) (number * interval);
    }
}
