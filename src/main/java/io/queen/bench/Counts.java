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

    /** Several event loops at the same time. */
    static Counts together(List<Counts> parts) {
        return sum(parts, parts.stream().mapToDouble(Counts::seconds).max().orElse(0));
    }

    /** Several rounds, one after the other. */
    static Counts inTurn(List<Counts> parts) {
        return sum(parts, parts.stream().mapToDouble(Counts::seconds).sum());
    }

    private static Counts sum(List<Counts> parts, double seconds) {
        Histogram nanos = new Histogram(3);
        Map<String, Long> reasons = new TreeMap<>();
        for (Counts part : parts) {
            nanos.add(part.nanos());
            part.reasons().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        }
        return new Counts(
                parts.stream().mapToLong(Counts::messages).sum(),
                parts.stream().mapToLong(Counts::empties).sum(),
                seconds,
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
