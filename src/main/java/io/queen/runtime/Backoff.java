package io.queen.runtime;

/** How long to wait for a database that is away: soon at first, never longer than a person would. */
public final class Backoff {
    private static final long FIRST = 500;
    private static final long LONGEST = 5_000;

    private Backoff() {}

    /** Milliseconds after that many failures in a row, counted from 1. */
    public static long millisAfter(int failures) {
        return Math.min(LONGEST, FIRST << Math.min(failures - 1, 10));
    }
}
