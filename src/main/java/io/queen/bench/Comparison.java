package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two files of earlier runs, scenario by scenario. */
final class Comparison {
    private Comparison() {}

    /** One scenario in both files. */
    private record Pair(String scenario, JsonNode a, JsonNode b) {
        /** Of a figure that every round has. */
        private String rounds(String figure) {
            return Ratio.of(values(a, figure), values(b, figure)).toString();
        }

        private static List<Double> values(JsonNode result, String figure) {
            List<Double> values = new ArrayList<>();
            result.path("rounds").forEach(round -> values.add(round.at(figure).asDouble()));
            return values;
        }

        /** Of a figure that only the whole has, if both do. */
        private String whole(String figure) {
            JsonNode one = a.at(figure);
            JsonNode other = b.at(figure);
            return one.isNumber() && other.isNumber()
                    ? Ratio.of(List.of(one.asDouble()), List.of(other.asDouble()))
                            .toString()
                    : "";
        }
    }

    static String of(Path a, Path b) {
        Map<String, JsonNode> first = read(a);
        Map<String, JsonNode> second = read(b);
        List<Pair> pairs = first.keySet().stream()
                .filter(second::containsKey)
                .map(scenario -> new Pair(scenario, first.get(scenario), second.get(scenario)))
                .toList();
        Table<Pair> table = new Table<>(pairs)
                .column("B / A", Pair::scenario)
                .column("A messages/s", pair -> messagesPerSecond(pair.a()))
                .column("B messages/s", pair -> messagesPerSecond(pair.b()))
                .column("ratio", pair -> pair.rounds("/messagesPerSecond"))
                .column("p50", pair -> pair.rounds("/latencyMs/p50"))
                .column("p99", pair -> pair.rounds("/latencyMs/p99"))
                .column("pg µs", pair -> pair.whole("/perMessage/postgresCpuMicros"))
                .column("WAL bytes", pair -> pair.whole("/perMessage/walBytes"));
        return "A " + a + "\nB " + b + "\n\n" + table + "\nMore messages/s is better, less of the rest.\n"
                + only("A", first, second) + only("B", second, first);
    }

    private static String messagesPerSecond(JsonNode result) {
        return Report.number("%,.0f", result.path("messagesPerSecond").asDouble());
    }

    private static String only(String name, Map<String, JsonNode> mine, Map<String, JsonNode> others) {
        List<String> scenarios = mine.keySet().stream()
                .filter(scenario -> !others.containsKey(scenario))
                .toList();
        return scenarios.isEmpty() ? "" : "Only in " + name + ": " + String.join(", ", scenarios) + "\n";
    }

    /** By scenario; of a run with two servers, by scenario and server. */
    private static Map<String, JsonNode> read(Path file) {
        try {
            Map<String, JsonNode> results = new LinkedHashMap<>();
            JsonNode list = new ObjectMapper().readTree(file.toFile()).path("results");
            boolean two = list.findValuesAsText("server").stream().distinct().count() > 1;
            list.forEach(result -> results.put(
                    result.path("scenario").asText()
                            + (two ? " " + result.path("server").asText() : ""),
                    result));
            if (results.isEmpty()) {
                throw new BenchException(file + " is not a file of queen bench --json");
            }
            return results;
        } catch (IOException e) {
            throw new BenchException("Cannot read " + file + ": " + e.getMessage());
        }
    }
}
