package io.queen.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * What the lanes of one event loop counted. Written by that loop only; the sums may be read by others meanwhile, the rest
 * when the round is over.
 */
final class Tally {
    private static final int DIGITS = 3;

    private final Window window;
    private final Histogram nanos = new Histogram(DIGITS);
    private final Map<String, Long> reasons = new TreeMap<>();
    private final LongAdder seen = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private long messages;
    private long empties;
    private long last;

    Tally(Window window) {
        this.window = window;
        this.last = window.from();
    }

    /** Counts if {@code at} is in the time that counts. */
    void record(long at, int count, long latency) {
        seen.add(count);
        if (window.counts(at)) {
            record(count, latency);
        }
    }

    void record(int count, long latency) {
        messages += count;
        nanos.recordValue(Math.max(0, latency));
        last = Math.max(last, System.nanoTime());
    }

    void empty(long at) {
        empties += window.counts(at) ? 1 : 0;
    }

    /** Errors count always: one in the warm-up is as bad. */
    void failed(String reason) {
        errors.increment();
        reasons.merge(reason, 1L, Long::sum);
    }

    /** Messages since the start, the warm-up included. */
    long seen() {
        return seen.sum();
    }

    long errors() {
        return errors.sum();
    }

    Counts counts() {
        return new Counts(messages, empties, (last - window.from()) / 1e9, nanos, reasons);
    }
}
