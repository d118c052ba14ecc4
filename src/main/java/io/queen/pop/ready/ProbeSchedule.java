package io.queen.pop.ready;

import io.queen.config.QueenConfig;
import io.queen.runtime.Backoff;

/** How long until the next look of a parked pop that was not woken: constant for a few times, then growing to a limit. */
record ProbeSchedule(int threshold, Backoff backoff) {

    static ProbeSchedule of(QueenConfig.Pop config) {
        return new ProbeSchedule(
                config.waitBackoffThreshold(),
                new Backoff(
                        config.waitInitialIntervalMs(), config.waitBackoffMultiplier(), config.waitMaxIntervalMs()));
    }

    /** The delay after so many looks in vain. */
    long delayMillis(int looks) {
        return backoff.millisAfter(1 + Math.max(0, looks - threshold));
    }
}
