package io.queen.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code queen bench}: its options, and the way in. */
@Command(
        name = "bench",
        sortOptions = false,
        usageHelpWidth = 110,
        abbreviateSynopsis = true,
        description = "Measures a server that speaks the protocol of Queen.",
        footerHeading = "%nScenarios:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured", "1:measured, and requests failed", "2:not measured; the message says why"})
public final class BenchCommand implements Callable<Integer> {
    private static final String EXAMPLES = """


            Examples:
              queen bench
                  every scenario on http://localhost:6632
              queen bench push-1 pop-ack --connections 64 --duration 30s --json today.json
              queen bench push-1 --rate 2000
                  time from when each request was due, at 2,000 requests a second
              queen bench push-100 --pg postgres://queen:secret@localhost:5432/queen
                  with what PostgreSQL spends on a message
              queen bench pop-ack --url http://localhost:6632 --url http://localhost:6633 --rounds 5
                  two servers in turn: A, B, A, B …; then B / A with its spread
              queen bench push-1 --url http://localhost:6632 --url http://localhost:6633 --token "" --token "$TOKEN"
                  what tokens cost
              queen bench --compare yesterday.json today.json

            """;

    private CommandSpec spec;

    @Parameters(paramLabel = "SCENARIO", arity = "0..*", description = "What to measure; all when none is named.")
    List<String> scenarios = new ArrayList<>();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server (http://localhost:6632). Twice: two servers in turn, and their ratio.")
    List<String> urls = new ArrayList<>();

    @Mixin
    Settings settings;

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure each (1; with two servers 5).")
    Integer rounds;

    @Option(
            names = "--pg",
            paramLabel = "URL",
            description = "The server's PostgreSQL, to see what it spends: WAL, statements (with pg_stat_statements),"
                    + " and CPU (as superuser on Linux). Twice for two servers.")
    List<String> databases = new ArrayList<>();

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            description = "The server's process on this machine, when its /metrics do not tell CPU and memory.")
    List<Long> serverPids = new ArrayList<>();

    @Option(
            names = "--token",
            paramLabel = "JWT",
            description = "Sent as 'Authorization: Bearer'. Twice for two servers; empty for one that asks for none.")
    List<String> tokens = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file too.")
    Path json;

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            arity = "2",
            description = "Compare two such files; nothing is measured.")
    List<Path> compare = new ArrayList<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this.")
    boolean help;

    /** The scenarios are described when help is shown, not at every start of the program. */
    @Spec
    void describe(CommandSpec described) {
        spec = described;
        described
                .usageMessage()
                .sectionMap()
                .put(UsageMessageSpec.SECTION_KEY_FOOTER, ignored -> Catalog.describe() + EXAMPLES);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            return compare.isEmpty() ? measure() : compare();
        } catch (BenchException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
    }

    private int compare() {
        spec.commandLine().getOut().println(Comparison.of(compare.get(0), compare.get(1)));
        return CommandLine.ExitCode.OK;
    }

    private int measure() throws IOException, InterruptedException {
        check();
        ArrayNode results = ReportFile.json(measure(choose()));
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(new Report(results));
        if (json != null) {
            ReportFile.write(json, settings, results);
        }
        boolean failed = results.findValues("errors").stream().anyMatch(errors -> errors.asLong() > 0);
        return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private List<Result> measure(List<Catalog.Entry> chosen) throws InterruptedException {
        Progress progress = new Progress(System.err, CommandLine.Help.Ansi.AUTO.enabled());
        List<String> addresses = urls.isEmpty() ? List.of("http://localhost:6632") : urls;
        int times = rounds != null ? rounds : addresses.size() == 1 ? 1 : 5;
        try (BenchRun run = new BenchRun(settings, progress)) {
            for (int i = 0; i < addresses.size(); i++) {
                ServerAddress address = ServerAddress.of(i == 0 ? "A" : "B", addresses.get(i), nth(tokens, i));
                run.add(address, nth(databases, i), nth(serverPids, i));
            }
            return run.run(chosen, times);
        }
    }

    /** The value for the nth server; one value is for all. */
    private static <T> T nth(List<T> values, int number) {
        return values.isEmpty() ? null : values.get(Math.min(number, values.size() - 1));
    }

    private List<Catalog.Entry> choose() {
        List<String> names = scenarios.isEmpty() ? Catalog.names(!databases.isEmpty()) : scenarios;
        for (String name : names) {
            require(
                    Catalog.names(true).contains(name),
                    "There is no scenario '" + name + "'; there are " + String.join(", ", Catalog.names(true)));
        }
        List<Catalog.Entry> chosen = Catalog.choose(names, settings);
        chosen.forEach(entry -> require(!entry.needsDatabase() || !databases.isEmpty(), entry.name() + " needs --pg"));
        return chosen;
    }

    private void check() {
        require(urls.size() <= 2, "--url may be given twice at most");
        require(settings.connections > 0, "--connections must be above 0");
        require(settings.rate >= 0, "--rate must not be below 0");
        require(!settings.duration.isZero(), "--duration must be above 0");
        require(rounds == null || rounds > 0, "--rounds must be above 0");
        require(settings.payload >= 0, "--payload must not be below 0");
        require(settings.partitions >= 0, "--partitions must not be below 0");
        require(settings.stock > 0, "--stock must be above 0");
        require(
                settings.prefix.matches("[A-Za-z0-9_.-]{1,100}"),
                "--queue-prefix takes letters, digits, '_', '.' and '-'");
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
