package io.queen.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What the workers of a round have counted so far, on whatever threads. */
final class LiveCounts {
    private final Schedule schedule;
    private final Histogram nanos = new ConcurrentHistogram(Counts.DIGITS);
    private final Map<String, Long> reasons = new ConcurrentHashMap<>();
    private final LongAdder seen = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder empties = new LongAdder();
    private final LongAccumulator last;

    LiveCounts(Schedule schedule) {
        this.schedule = schedule;
        this.last = new LongAccumulator(Math::max, schedule.countingFrom());
    }

    /** Counts if {@code at} is in the time that counts. */
    void record(long at, int count, long latency) {
        seen.add(count);
        if (schedule.counts(at)) {
            messages.add(count);
            nanos.recordValue(Math.max(0, latency));
            last.accumulate(System.nanoTime());
        }
    }

    void empty(long at) {
        empties.add(schedule.counts(at) ? 1 : 0);
    }

    /** Errors count always: one in the warm-up is as bad. */
    void failed(String reason, long times) {
        if (times > 0) {
            reasons.merge(reason, times, Long::sum);
        }
    }

    /** Messages since the start, the warm-up included. */
    long seen() {
        return seen.sum();
    }

    long errors() {
        return reasons.values().stream().mapToLong(Long::longValue).sum();
    }

    Counts sum() {
        double seconds = (last.get() - schedule.countingFrom()) / 1e9;
        return new Counts(messages.sum(), empties.sum(), seconds, nanos.copy(), new TreeMap<>(reasons));
    }
}
