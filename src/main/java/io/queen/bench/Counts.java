package io.queen.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was counted in a round, or in several.
 *
 * @param empties pops that found nothing; not among the latencies
 * @param seconds the time in which the messages were counted
 * @param reasons of failures, with their number
 */
record Counts(long messages, long empties, double seconds, Histogram nanos, Map<String, Long> reasons) {
    /** That latencies keep. */
    static final int DIGITS = 3;

    /** Several rounds, one after the other. */
    static Counts sum(List<Counts> rounds) {
        Histogram nanos = new Histogram(DIGITS);
        Map<String, Long> reasons = new TreeMap<>();
        for (Counts round : rounds) {
            nanos.add(round.nanos());
            round.reasons().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        }
        return new Counts(
                rounds.stream().mapToLong(Counts::messages).sum(),
                rounds.stream().mapToLong(Counts::empties).sum(),
                rounds.stream().mapToDouble(Counts::seconds).sum(),
                nanos,
                reasons);
    }

    long errors() {
        return reasons.values().stream().mapToLong(Long::longValue).sum();
    }

    long requests() {
        return nanos.getTotalCount();
    }

    double messagesPerSecond() {
        return seconds > 0 ? messages / seconds : 0;
    }

    double requestsPerSecond() {
        return seconds > 0 ? requests() / seconds : 0;
    }

    double millisAt(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }

    double maxMillis() {
        return nanos.getMaxValue() / 1e6;
    }
}
