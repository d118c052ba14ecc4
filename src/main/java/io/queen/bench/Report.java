package io.queen.bench;

import io.queen.bench.Scenario.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a person reads at the end. */
final class Report {
    private static final double MICROS = 1e6;
    private static final double MEGABYTE = 1024 * 1024;
    /** Of the generator's threads; above it the generator may be what limits. */
    private static final double BUSY = 0.85;

    private final List<Result> results;
    private final boolean two;

    Report(List<Result> results) {
        this.results = results;
        this.two = results.stream().anyMatch(result -> result.server().name().equals("B"));
    }

    @Override
    public String toString() {
        return table() + legend() + ratios() + warnings();
    }

    private Table<Result> table() {
        return new Table<>(results)
                .column("scenario", Result::scenario)
                .column("server", result -> two ? result.server().name() : "")
                .column("messages/s", count("%,.0f", Counts::messagesPerSecond))
                .column("requests/s", count("%,.0f", Counts::requestsPerSecond))
                .column("p50 ms", count("%.2f", counts -> counts.millisAt(50)))
                .column("p90", count("%.2f", counts -> counts.millisAt(90)))
                .column("p99", count("%.2f", counts -> counts.millisAt(99)))
                .column("p99.9", count("%.2f", counts -> counts.millisAt(99.9)))
                .column("max", count("%.2f", Counts::maxMillis))
                .column("errors", result -> Long.toString(result.counts().errors()))
                .column("empty", result -> unlessZero(result.counts().empties()))
                .column("missed", result -> unlessZero(result.missed()))
                .column("server µs", perMessage("%.1f", Resource.SERVER_CPU))
                .column("server MB", result -> megabytes(result.spent().residentBytes()))
                .column("pg µs", perMessage("%.1f", Resource.POSTGRES_CPU))
                .column("statements", perMessage("%.3f", Resource.STATEMENTS))
                .column("WAL bytes", perMessage("%,.0f", Resource.WAL))
                .column("list size", result -> batches(result.spent().batches()));
    }

    private static Function<Result, String> count(String format, Function<Counts, Double> figure) {
        return result -> number(format, figure.apply(result.counts()));
    }

    private static Function<Result, String> perMessage(String format, Resource resource) {
        return result -> number(format, result.perMessage(resource));
    }

    private static String unlessZero(long count) {
        return count == 0 ? "" : number("%,.0f", (double) count);
    }

    private static String megabytes(Long bytes) {
        return bytes == null ? "" : number("%.0f", bytes / MEGABYTE);
    }

    private static String batches(Map<String, ResourceUsage.Batches> batches) {
        return batches.entrySet().stream()
                .filter(batch -> batch.getValue().count() > 0)
                .map(batch ->
                        batch.getKey() + " " + number("%.1f", batch.getValue().size()))
                .collect(Collectors.joining(", "));
    }

    private String legend() {
        boolean costs = results.stream()
                .map(result -> result.spent().used())
                .anyMatch(used -> used.containsKey(Resource.SERVER_CPU) || used.containsKey(Resource.WAL));
        return costs ? "\nserver µs, pg µs (CPU), statements and WAL bytes are per message.\n" : "\n";
    }

    private String ratios() {
        if (!two) {
            return "";
        }
        Table<Pair> table = new Table<>(pairs())
                .column("B / A", pair -> pair.a().scenario())
                .column("messages/s", pair -> pair.ratio(Counts::messagesPerSecond))
                .column("p50", pair -> pair.ratio(counts -> counts.millisAt(50)))
                .column("p99", pair -> pair.ratio(counts -> counts.millisAt(99)));
        return "\n" + table
                + "\nMedian of the pairs of rounds (least to most). More messages/s and less time are better.\n";
    }

    /** One scenario on both servers: the results of A and B take turns. */
    private record Pair(Result a, Result b) {
        private String ratio(Function<Counts, Double> figure) {
            return Ratio.of(values(a, figure), values(b, figure)).toString();
        }

        private static List<Double> values(Result result, Function<Counts, Double> figure) {
            return result.rounds().stream().map(Round::counts).map(figure).toList();
        }
    }

    private List<Pair> pairs() {
        return IntStream.range(0, results.size() / 2)
                .mapToObj(i -> new Pair(results.get(2 * i), results.get(2 * i + 1)))
                .toList();
    }

    private String warnings() {
        List<String> lines = new ArrayList<>();
        for (Result result : results) {
            String where = result.scenario() + (two ? " on " + result.server().name() : "") + ": ";
            result.counts().reasons().forEach((reason, count) -> lines.add(where + count + " × " + reason));
            if (result.missed() > 0) {
                lines.add(where + "the server did not keep up with the rate; " + result.missed()
                        + " requests were due and never sent, and are not in the figures");
            }
            if (generatorWasBusy(result)) {
                lines.add(where + "the generator itself was busy all the time; the server may be faster than this");
            }
        }
        return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
    }

    private static boolean generatorWasBusy(Result result) {
        double seconds = result.counts().seconds();
        double busy = result.spent().used().getOrDefault(Resource.CLIENT_CPU, 0L) / MICROS;
        return seconds > 0 && busy > BUSY * BenchServers.threads() * seconds;
    }

    static String number(String format, Double value) {
        return value == null ? "" : String.format(Locale.ROOT, format, value);
    }
}
