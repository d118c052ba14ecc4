package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** How B compares with A, round by round: what disturbs the machine disturbs both of a pair. */
record Ratio(double median, double least, double most) {

    /** One scenario as A and as B measured it. */
    record Pair(String scenario, JsonNode a, JsonNode b) {
        /** The ratio of a figure that every round has. */
        String rounds(String field) {
            return of(values(a, field), values(b, field)).toString();
        }

        private static List<Double> values(JsonNode result, String field) {
            List<Double> values = new ArrayList<>();
            result.path("rounds").forEach(round -> values.add(round.at(field).asDouble()));
            return values;
        }

        /** The ratio of a figure that only the whole has, if both do. */
        String whole(String field) {
            boolean known = a.at(field).isNumber() && b.at(field).isNumber();
            return known
                    ? of(List.of(a.at(field).asDouble()), List.of(b.at(field).asDouble()))
                            .toString()
                    : "";
        }
    }

    /** Of the pairs that both have and whose A is not zero. Not a number when there are none. */
    static Ratio of(List<Double> a, List<Double> b) {
        double[] ratios = IntStream.range(0, Math.min(a.size(), b.size()))
                .filter(i -> a.get(i) > 0)
                .mapToDouble(i -> b.get(i) / a.get(i))
                .sorted()
                .toArray();
        return ratios.length == 0
                ? new Ratio(Double.NaN, Double.NaN, Double.NaN)
                : new Ratio(median(ratios), ratios[0], ratios[ratios.length - 1]);
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[half]
                : Arrays.stream(sorted, half - 1, half + 1).average().orElseThrow();
    }

    @Override
    public String toString() {
        if (Double.isNaN(median)) {
            return "-";
        }
        return least == most
                ? String.format(Locale.ROOT, "%.2f", median)
                : String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, least, most);
    }
}
