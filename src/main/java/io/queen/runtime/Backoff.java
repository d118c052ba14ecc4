package io.queen.runtime;

/**
 * How long to wait before the next try: soon at first, then longer each time, up to a limit.
 *
 * @param factor by how much a pause is longer than the one before
 */
public record Backoff(long firstMillis, double factor, long maxMillis) {

    /** Each pause twice as long as the one before. */
    public static Backoff doubling(long firstMillis, long maxMillis) {
        return new Backoff(firstMillis, 2, maxMillis);
    }

    /** Milliseconds after that many failures in a row, counted from 1. */
    public long millisAfter(int failures) {
        double grown = (double) firstMillis * Math.pow(factor, Math.max(0, failures - 1));
        return (long) Math.min(grown, (double) maxMillis);
    }
}
