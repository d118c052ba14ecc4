package io.queen.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What was done for one queue, or by the server as a whole, since the start. Written by all event loops, without a lock. */
public final class Tally {
    private final Map<Figure, LongAdder> counts = new EnumMap<>(Figure.class);
    private final LongAccumulator longestLag = new LongAccumulator(Math::max, 0);
    private final LongAdder parked = new LongAdder();
    private final Map<Figure, Long> told = new EnumMap<>(Figure.class);
    private int quietTurns;

    Tally() {
        for (Figure figure : Figure.values()) {
            counts.put(figure, new LongAdder());
        }
    }

    public void add(Figure figure, long count) {
        if (count != 0) {
            counts.get(figure).add(count);
        }
    }

    /** Messages were popped that had waited so long, together and the longest of them. */
    public void lag(long sumMillis, long longestMillis) {
        add(Figure.LAG_SUM, sumMillis);
        longestLag.accumulate(longestMillis);
    }

    /** Pops that wait: one more or one less. */
    public void parked(int change) {
        parked.add(change);
    }

    public long parked() {
        return parked.sum();
    }

    public long total(Figure figure) {
        return counts.get(figure).sum();
    }

    /** What was added since the last call; called by one thread at a time. */
    Map<Figure, Long> sinceLast() {
        Map<Figure, Long> news = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
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
