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
    private int quietTurns;

    QueueCounters() {
        for (CounterKind figure : CounterKind.values()) {
            counts.put(figure, new LongAdder());
        }
    }

    public void add(CounterKind figure, long count) {
        if (count != 0) {
            counts.get(figure).add(count);
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

    public long total(CounterKind figure) {
        return counts.get(figure).sum();
    }

    /** What was added since the last call; called by one thread at a time. */
    Map<CounterKind, Long> sinceLast() {
        Map<CounterKind, Long> news = new EnumMap<>(CounterKind.class);
        for (CounterKind figure : CounterKind.values()) {
            long now = total(figure);
            Long before = told.put(figure, now);
            news.put(figure, before == null ? now : now - before);
        }
        quietTurns = parked() == 0 && news.values().stream().allMatch(count -> count == 0) ? quietTurns + 1 : 0;
        return news;
    }

    /** The longest lag since the last call. */
    long longestLag() {
        return longestLag.getThenReset();
    }

    /** How often {@link #sinceLast} has found nothing in a row. */
    int quietTurns() {
        return quietTurns;
    }
}
