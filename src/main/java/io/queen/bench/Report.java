package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a person reads at the end. */
final class Report {
    private static final double MICROS = 1e6;
    private static final double MEGABYTE = 1024 * 1024;
    /** Of the generator's threads; above it the generator may be what limits. */
    private static final double BUSY = 0.85;

    private final List<JsonNode> results = new ArrayList<>();
    private final boolean two;

    Report(Iterable<JsonNode> results) {
        results.forEach(this.results::add);
        this.two = this.results.stream().anyMatch(result -> server(result).equals("B"));
    }

    @Override
    public String toString() {
        return table() + legend() + ratios() + warnings();
    }

    private Table<JsonNode> table() {
        return new Table<>(results)
                .column("scenario", Report::scenario)
                .column("server", result -> two ? server(result) : "")
                .column("messages/s", number("%,.0f", "/messagesPerSecond"))
                .column("requests/s", number("%,.0f", "/requestsPerSecond"))
                .column("p50 ms", number("%.2f", "/latencyMs/p50"))
                .column("p90", number("%.2f", "/latencyMs/p90"))
                .column("p99", number("%.2f", "/latencyMs/p99"))
                .column("p99.9", number("%.2f", "/latencyMs/p99.9"))
                .column("max", number("%.2f", "/latencyMs/max"))
                .column("errors", number("%.0f", "/errors"))
                .column("empty", unlessZero("/empties"))
                .column("missed", unlessZero("/missed"))
                .column("server µs", number("%.1f", "/perMessage/serverCpuMicros"))
                .column("server MB", Report::megabytes)
                .column("pg µs", number("%.1f", "/perMessage/postgresCpuMicros"))
                .column("statements", number("%.3f", "/perMessage/statements"))
                .column("WAL bytes", number("%,.0f", "/perMessage/walBytes"))
                .column("list size", Report::listSizes);
    }

    private static String scenario(JsonNode result) {
        return result.path("scenario").asText();
    }

    private static String server(JsonNode result) {
        return result.path("server").asText();
    }

    /** A field as text, empty when it is not known. */
    static Function<JsonNode, String> number(String format, String field) {
        return result ->
                result.at(field).isNumber() ? text(format, result.at(field).asDouble()) : "";
    }

    private static Function<JsonNode, String> unlessZero(String field) {
        return result ->
                result.at(field).asLong() == 0 ? "" : number("%,.0f", field).apply(result);
    }

    private static String megabytes(JsonNode result) {
        double bytes = result.path("serverResidentBytes").asDouble();
        return bytes == 0 ? "" : text("%.0f", bytes / MEGABYTE);
    }

    private static String listSizes(JsonNode result) {
        return result.path("listSizes").properties().stream()
                .map(size -> size.getKey() + " " + text("%.1f", size.getValue().asDouble()))
                .collect(Collectors.joining(", "));
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private String legend() {
        boolean costs = results.stream()
                .map(result -> result.path("perMessage"))
                .anyMatch(used -> used.has("serverCpuMicros") || used.has("walBytes"));
        return costs ? "\nserver µs, pg µs (CPU), statements and WAL bytes are per message.\n" : "\n";
    }

    /** The results of A and B take turns. */
    private String ratios() {
        if (!two) {
            return "";
        }
        List<Ratio.Pair> pairs = IntStream.range(0, results.size() / 2)
                .mapToObj(i -> new Ratio.Pair(scenario(results.get(2 * i)), results.get(2 * i), results.get(2 * i + 1)))
                .toList();
        Table<Ratio.Pair> table = new Table<>(pairs)
                .column("B / A", Ratio.Pair::scenario)
                .column("messages/s", pair -> pair.rounds("/messagesPerSecond"))
                .column("p50", pair -> pair.rounds("/latencyMs/p50"))
                .column("p99", pair -> pair.rounds("/latencyMs/p99"));
        return "\n" + table
                + "\nMedian of the pairs of rounds (least to most). More messages/s and less time are better.\n";
    }

    private String warnings() {
        List<String> lines = new ArrayList<>();
        for (JsonNode result : results) {
            String where = scenario(result) + (two ? " on " + server(result) : "") + ": ";
            result.path("errorReasons")
                    .properties()
                    .forEach(reason -> lines.add(where + reason.getValue() + " × " + reason.getKey()));
            long missed = result.path("missed").asLong();
            if (missed > 0) {
                lines.add(where + "the server did not keep up with the rate; " + missed
                        + " requests were due and never sent, and are not in the figures");
            }
            if (generatorWasBusy(result)) {
                lines.add(where + "the generator itself was busy all the time; the server may be faster than this");
            }
        }
        return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
    }

    private static boolean generatorWasBusy(JsonNode result) {
        double perMessage = result.at("/perMessage/clientCpuMicros").asDouble();
        double busy = perMessage * result.path("messagesPerSecond").asDouble() / MICROS;
        return busy > BUSY * BenchRun.threads();
    }
}
