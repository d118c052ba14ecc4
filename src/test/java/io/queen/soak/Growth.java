package io.queen.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether amounts level off: the highest of the last third of a run is compared with the highest of the third before it.
 * What grows without end grows by half from the one to the other, what has levelled off stays within a fifth; small
 * amounts may move more.
 */
final class Growth {
    private static final double FACTOR = 1.25;
    private static final long SLACK = 4096;

    private final List<Map<String, Long>> samples;

    Growth(List<Map<String, Long>> samples) {
        this.samples = samples;
    }

    /** A line for each amount that still grows. */
    List<String> unending() {
        List<String> lines = new ArrayList<>();
        for (String name : samples.get(samples.size() - 1).keySet()) {
            long before = highest(name, 1);
            long last = highest(name, 2);
            if (last > before * FACTOR + SLACK) {
                lines.add(name + " grows: at most " + before + ", then " + last);
            }
        }
        return lines;
    }

    /** The highest of each third, for every amount that is not zero throughout. */
    String table() {
        StringBuilder text =
                new StringBuilder(String.format("  %-32s %12s %12s %12s%n", "", "1st third", "2nd", "3rd"));
        for (String name : samples.get(samples.size() - 1).keySet()) {
            if (highest(name, 0) + highest(name, 1) + highest(name, 2) > 0) {
                text.append(String.format(
                        "  %-32s %12d %12d %12d%n", name, highest(name, 0), highest(name, 1), highest(name, 2)));
            }
        }
        return text.toString();
    }

    private long highest(String name, int third) {
        int size = samples.size();
        return samples.subList(size * third / 3, size * (third + 1) / 3).stream()
                .mapToLong(sample -> sample.getOrDefault(name, 0L))
                .max()
                .orElse(0);
    }
}
