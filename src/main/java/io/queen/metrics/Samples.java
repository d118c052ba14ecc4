package io.queen.metrics;

import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Gathers samples until they are written: average, least, most and last of each. */
@Singleton
public final class Samples {
    private Map<String, Range> ranges = new TreeMap<>();

    /** The values that a name had. */
    public record Range(long count, double sum, double min, double max, double last) {
        Range with(double value) {
            return new Range(count + 1, sum + value, Math.min(min, value), Math.max(max, value), value);
        }

        public double avg() {
            return sum / count;
        }
    }

    public synchronized void add(String name, double value) {
        ranges.merge(name, new Range(1, value, value, value, value), (known, one) -> known.with(value));
    }

    /** What was gathered since the last call. */
    public synchronized Map<String, Range> take() {
        Map<String, Range> gathered = ranges;
        ranges = new TreeMap<>();
        return new LinkedHashMap<>(gathered);
    }
}
