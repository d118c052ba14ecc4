package io.queen.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

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
        this.two = results.stream()
                        .map(result -> result.target().name())
                        .distinct()
                        .count()
                > 1;
    }

    @Override
    public String toString() {
        return table() + legend() + ratios() + warnings();
    }

    private Table table() {
        Table table = new Table(
                "scenario",
                "server",
                "messages/s",
                "requests/s",
                "p50 ms",
                "p90",
                "p99",
                "p99.9",
                "max",
                "errors",
                "empty",
                "missed",
                "server µs",
                "server MB",
                "pg µs",
                "statements",
                "WAL bytes",
                "list size");
        results.forEach(result -> table.add(row(result)));
        return table;
    }

    private List<String> row(Result result) {
        Counts counts = result.counts();
        Figures spent = result.spent();
        Double megabytes = spent.residentBytes() == null ? null : spent.residentBytes() / MEGABYTE;
        return List.of(
                result.scenario(),
                two ? result.target().name() : "",
                number("%,.0f", counts.messagesPerSecond()),
                number("%,.0f", counts.requestsPerSecond()),
                number("%.2f", counts.millisAt(50)),
                number("%.2f", counts.millisAt(90)),
                number("%.2f", counts.millisAt(99)),
                number("%.2f", counts.millisAt(99.9)),
                number("%.2f", counts.maxMillis()),
                Long.toString(counts.errors()),
                counts.empties() == 0 ? "" : number("%,.0f", (double) counts.empties()),
                result.missed() == 0 ? "" : number("%,.0f", (double) result.missed()),
                number("%.1f", result.perMessage(spent.serverCpuMicros())),
                number("%.0f", megabytes),
                number("%.1f", result.perMessage(spent.postgresCpuMicros())),
                number("%.3f", result.perMessage(spent.statements())),
                number("%,.0f", result.perMessage(spent.walBytes())),
                lists(spent.lists()));
    }

    private static String lists(Map<String, Figures.Lists> lists) {
        return lists.entrySet().stream()
                .filter(list -> list.getValue().count() > 0)
                .map(list -> list.getKey() + " "
                        + number(
                                "%.1f",
                                (double) list.getValue().requests()
                                        / list.getValue().count()))
                .collect(Collectors.joining(", "));
    }

    private String legend() {
        boolean costs = results.stream()
                .anyMatch(result -> result.spent().serverCpuMicros() != null
                        || result.spent().walBytes() != null);
        return costs ? "\nserver µs, pg µs (CPU), statements and WAL bytes are per message.\n" : "\n";
    }

    private String ratios() {
        if (!two) {
            return "";
        }
        Table table = new Table("B / A", "messages/s", "p50", "p99");
        for (Result a : results) {
            results.stream()
                    .filter(b -> b.scenario().equals(a.scenario())
                            && a.target().name().equals("A"))
                    .filter(b -> b.target().name().equals("B"))
                    .forEach(b -> table.add(List.of(
                            a.scenario(),
                            ratio(a, b, Counts::messagesPerSecond).toString(),
                            ratio(a, b, counts -> counts.millisAt(50)).toString(),
                            ratio(a, b, counts -> counts.millisAt(99)).toString())));
        }
        return "\n" + table
                + "\nMedian of the pairs of rounds (least to most). More messages/s and less time are better.\n";
    }

    static Ratio ratio(Result a, Result b, Function<Counts, Double> figure) {
        return Ratio.of(values(a, figure), values(b, figure));
    }

    private static List<Double> values(Result result, Function<Counts, Double> figure) {
        return result.rounds().stream().map(Round::counts).map(figure).toList();
    }

    private String warnings() {
        List<String> lines = new ArrayList<>();
        for (Result result : results) {
            Counts counts = result.counts();
            counts.reasons()
                    .forEach((reason, count) ->
                            lines.add(result.scenario() + where(result) + ": " + count + " × " + reason));
            if (result.missed() > 0) {
                lines.add(result.scenario() + where(result) + ": the server did not keep up with the rate; "
                        + result.missed() + " requests were due and never sent, and are not in the figures");
            }
            if (counts.seconds() > 0
                    && result.spent().clientCpuMicros() / MICROS > BUSY * Client.threads() * counts.seconds()) {
                lines.add(result.scenario() + where(result)
                        + ": the generator itself was busy all the time; the server may be faster than this");
            }
        }
        return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
    }

    private String where(Result result) {
        return two ? " on " + result.target().name() : "";
    }

    static String number(String format, Double value) {
        return value == null ? "" : String.format(Locale.ROOT, format, value);
    }
}
