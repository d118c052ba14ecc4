package io.queen.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What was done for one queue, or by the server as a whole, since the start. Written by all event loops, without a lock. */
public final class Tally {
    private final LongAdder[] counts = new LongAdder[Figure.values().length];
    private final LongAccumulator longestLag = new LongAccumulator(Math::max, 0);
    private final LongAdder parked = new LongAdder();
    private final long[] told = new long[counts.length];
    private int quietTurns;

    Tally() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    public void add(Figure figure, long count) {
        if (count != 0) {
            counts[figure.ordinal()].add(count);
        }
    }

    /** A message was popped that had waited so long. */
    public void lag(long millis) {
        counts[Figure.LAG_SUM.ordinal()].add(Math.max(0, millis));
        longestLag.accumulate(millis);
    }

    /** Pops that wait: one more or one less. */
    public void parked(int change) {
        parked.add(change);
    }

    public long parked() {
        return parked.sum();
    }

    public long total(Figure figure) {
        return counts[figure.ordinal()].sum();
    }

    /** What was added since the last call; called by one thread at a time. */
    Map<Figure, Long> sinceLast() {
        Map<Figure, Long> news = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            long now = total(figure);
            news.put(figure, now - told[figure.ordinal()]);
            told[figure.ordinal()] = now;
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
