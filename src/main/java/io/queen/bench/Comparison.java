package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Two files of earlier runs, scenario by scenario. */
final class Comparison {
    private static final Function<JsonNode, String> MESSAGES_PER_SECOND = Report.number("%,.0f", "/messagesPerSecond");

    private Comparison() {}

    static String of(Path a, Path b) {
        Map<String, JsonNode> first = read(a);
        Map<String, JsonNode> second = read(b);
        List<Ratio.Pair> pairs = first.keySet().stream()
                .filter(second::containsKey)
                .map(scenario -> new Ratio.Pair(scenario, first.get(scenario), second.get(scenario)))
                .toList();
        Table<Ratio.Pair> table = new Table<>(pairs)
                .column("B / A", Ratio.Pair::scenario)
                .column("A messages/s", pair -> MESSAGES_PER_SECOND.apply(pair.a()))
                .column("B messages/s", pair -> MESSAGES_PER_SECOND.apply(pair.b()))
                .column("ratio", pair -> pair.rounds("/messagesPerSecond"))
                .column("p50", pair -> pair.rounds("/latencyMs/p50"))
                .column("p99", pair -> pair.rounds("/latencyMs/p99"))
                .column("pg µs", pair -> pair.whole("/perMessage/postgresCpuMicros"))
                .column("WAL bytes", pair -> pair.whole("/perMessage/walBytes"));
        return "A " + a + "\nB " + b + "\n\n" + table + "\nMore messages/s is better, less of the rest.\n"
                + only("A", first, second) + only("B", second, first);
    }

    private static String only(String name, Map<String, JsonNode> mine, Map<String, JsonNode> others) {
        List<String> scenarios = mine.keySet().stream()
                .filter(scenario -> !others.containsKey(scenario))
                .toList();
        return scenarios.isEmpty() ? "" : "Only in " + name + ": " + String.join(", ", scenarios) + "\n";
    }

    /** By scenario; of a run with two servers, by scenario and server. */
    private static Map<String, JsonNode> read(Path file) {
        JsonNode list = ReportFile.readResults(file);
        boolean two = list.findValuesAsText("server").stream().distinct().count() > 1;
        Map<String, JsonNode> results = new LinkedHashMap<>();
        list.forEach(result -> {
            String server = two ? " " + result.path("server").asText() : "";
            results.put(result.path("scenario").asText() + server, result);
        });
        return results;
    }
}
