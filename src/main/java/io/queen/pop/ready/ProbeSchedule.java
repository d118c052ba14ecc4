package io.queen.pop.ready;

import io.queen.config.QueenConfig;

/** How long until the next look of a parked pop that nobody woke: constant for a few times, then growing to a limit. */
record ProbeSchedule(long initialMillis, int threshold, double multiplier, long maxMillis) {

    static ProbeSchedule of(QueenConfig.Pop config) {
        return new ProbeSchedule(
                config.waitInitialIntervalMs(),
                config.waitBackoffThreshold(),
                config.waitBackoffMultiplier(),
                config.waitMaxIntervalMs());
    }

    /** The delay after so many looks in vain. */
    long delayMillis(int looks) {
        double grown = (double) initialMillis * Math.pow(multiplier, Math.max(0, looks - threshold));
        return (long) Math.min(grown, (double) maxMillis);
    }
}
