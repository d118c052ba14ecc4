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

    static String of(Path a, Path b) {
        Map<String, JsonNode> first = read(a);
        Map<String, JsonNode> second = read(b);
        Table table = new Table("B / A", "A messages/s", "B messages/s", "ratio", "p50", "p99", "pg µs", "WAL bytes");
        first.forEach((scenario, one) -> {
            if (second.containsKey(scenario)) {
                table.add(row(scenario, one, second.get(scenario)));
            }
        });
        return "A " + a + "\nB " + b + "\n\n" + table + "\nMore messages/s is better, less of the rest.\n"
                + only("A", first, second) + only("B", second, first);
    }

    private static List<String> row(String scenario, JsonNode a, JsonNode b) {
        return List.of(
                scenario,
                Report.number("%,.0f", a.path("messagesPerSecond").asDouble()),
                Report.number("%,.0f", b.path("messagesPerSecond").asDouble()),
                rounds(a, b, "/messagesPerSecond"),
                rounds(a, b, "/latencyMs/p50"),
                rounds(a, b, "/latencyMs/p99"),
                whole(a, b, "/perMessage/postgresCpuMicros"),
                whole(a, b, "/perMessage/walBytes"));
    }

    private static String rounds(JsonNode a, JsonNode b, String figure) {
        return Ratio.of(values(a, figure), values(b, figure)).toString();
    }

    private static List<Double> values(JsonNode result, String figure) {
        List<Double> values = new ArrayList<>();
        result.path("rounds").forEach(round -> values.add(round.at(figure).asDouble()));
        return values;
    }

    private static String whole(JsonNode a, JsonNode b, String figure) {
        boolean known = a.at(figure).isNumber() && b.at(figure).isNumber();
        return known
                ? Ratio.of(
                                List.of(a.at(figure).asDouble()),
                                List.of(b.at(figure).asDouble()))
                        .toString()
                : "";
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
