package io.queen.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What was done for one queue, or by the server as a whole, since the start. Written by all event loops, without a lock. */
public final class QueueCounters {
    private final Map<CounterKind, LongAdder> counts = new EnumMap<>(CounterKind.class);
    private final LongAccumulator longestLag = new LongAccumulator(Math::max, 0);
    private final LongAdder parked = new LongAdder();
    private final Map<CounterKind, Long> told = new EnumMap<>(CounterKind.class);
    private int quietMinutes;

    QueueCounters() {
        for (CounterKind kind : CounterKind.values()) {
            counts.put(kind, new LongAdder());
        }
    }

    public void add(CounterKind kind, long count) {
        if (count != 0) {
            counts.get(kind).add(count);
        }
    }

    /** Messages were popped that had waited so long, together and the longest of them. */
    public void lag(long sumMillis, long longestMillis) {
        add(CounterKind.LAG_SUM, sumMillis);
        longestLag.accumulate(longestMillis);
    }

    /** Pops that wait: one more or one less. */
    public void parked(int change) {
        parked.add(change);
    }

    public long parked() {
        return parked.sum();
    }

    public long total(CounterKind kind) {
        return counts.get(kind).sum();
    }

    /** What was added since the last call; called by one thread at a time. */
    Map<CounterKind, Long> sinceLast() {
        Map<CounterKind, Long> news = new EnumMap<>(CounterKind.class);
        for (CounterKind kind : CounterKind.values()) {
            long now = total(kind);
            Long before = told.put(kind, now);
            news.put(kind, before == null ? now : now - before);
        }
        quietMinutes = parked() == 0 && news.values().stream().allMatch(count -> count == 0) ? quietMinutes + 1 : 0;
        return news;
    }

    /** The longest lag since the last call. */
    long longestLag() {
        return longestLag.getThenReset();
    }

    /** How often {@link #sinceLast} has found nothing in a row. */
    int quietMinutes() {
        return quietMinutes;
    }
}
