package io.queen.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code queen bench}. */
@Command(
        name = "queen bench",
        sortOptions = false,
        usageHelpWidth = 110,
        abbreviateSynopsis = true,
        description = "Measures a server that speaks the protocol of Queen.",
        footerHeading = "%nScenarios:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured", "1:measured, and requests failed", "2:not measured; the message says why"})
final class BenchCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "SCENARIO", arity = "0..*", description = "What to measure; all when none is named.")
    List<String> scenarios = new ArrayList<>();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server (http://localhost:6632). Twice: two servers in turn, and their ratio.")
    List<String> urls = new ArrayList<>();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections (${DEFAULT-VALUE}).")
    int connections;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Requests per second over all connections, due at even distances whatever the server does;"
                    + " without it each connection asks again as soon as it is answered.")
    double rate;

    @Option(
            names = "--duration",
            paramLabel = "T",
            defaultValue = "10s",
            description = "Time that counts (${DEFAULT-VALUE}).",
            converter = Spans.class)
    Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "T",
            defaultValue = "3s",
            description = "Time before it (${DEFAULT-VALUE}).",
            converter = Spans.class)
    Duration warmup;

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure each (1; with two servers 5).")
    Integer rounds;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Size of a message (${DEFAULT-VALUE}).")
    int payload;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "0",
            description = "Partitions of a queue (1000; for the scenario partitions the most, 100000).")
    int partitions;

    @Option(
            names = "--stock",
            paramLabel = "N",
            defaultValue = "200",
            description = "Messages in each partition before they are consumed (${DEFAULT-VALUE}).")
    int stock;

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

    @Option(names = "--token", paramLabel = "JWT", description = "Sent as 'Authorization: Bearer'.")
    String token;

    @Option(
            names = "--queue-prefix",
            paramLabel = "NAME",
            defaultValue = "bench",
            description = "How the queues are named that are made, and deleted at the end (${DEFAULT-VALUE}).")
    String prefix;

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

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (!compare.isEmpty()) {
            out.println(Comparison.of(compare.get(0), compare.get(1)));
            return CommandLine.ExitCode.OK;
        }
        check();
        Settings settings = new Settings(payload, connections, rate, warmup, duration, partitions, stock, prefix);
        List<Result> results = measure(settings, choose(settings));
        out.println();
        out.println(new Report(results));
        if (json != null) {
            ReportFile.write(json, settings, results);
        }
        boolean failed = results.stream().anyMatch(result -> result.counts().errors() > 0);
        return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private List<Result> measure(Settings settings, List<Catalog.Entry> chosen) throws InterruptedException {
        Progress progress = new Progress(System.err, CommandLine.Help.Ansi.AUTO.enabled());
        List<String> servers = urls.isEmpty() ? List.of("http://localhost:6632") : urls;
        int times = rounds != null ? rounds : servers.size() == 1 ? 1 : 5;
        try (Sites sites = new Sites(settings, progress)) {
            for (int i = 0; i < servers.size(); i++) {
                Target target = Target.of(i == 0 ? "A" : "B", servers.get(i), token);
                sites.add(target, nth(databases, i), nth(serverPids, i));
            }
            return new Session(sites.all(), times, progress).run(chosen);
        }
    }

    /** The value for the nth server; one value is for all. */
    private static <T> T nth(List<T> values, int number) {
        return values.isEmpty() ? null : values.get(Math.min(number, values.size() - 1));
    }

    private List<Catalog.Entry> choose(Settings settings) {
        List<String> possible = Catalog.names(!databases.isEmpty());
        try {
            List<Catalog.Entry> chosen = Catalog.choose(scenarios.isEmpty() ? possible : scenarios, settings);
            for (Catalog.Entry entry : chosen) {
                require(!entry.needsDatabase() || !databases.isEmpty(), entry.name() + " needs --pg");
            }
            return chosen;
        } catch (IllegalArgumentException e) {
            throw wrong("There is no scenario '" + e.getMessage() + "'; there are "
                    + String.join(", ", Catalog.names(true)));
        }
    }

    private void check() {
        require(urls.size() <= 2, "--url may be given twice at most");
        require(connections > 0, "--connections must be above 0");
        require(rate >= 0, "--rate must not be below 0");
        require(!duration.isZero(), "--duration must be above 0");
        require(rounds == null || rounds > 0, "--rounds must be above 0");
        require(payload >= 0, "--payload must not be below 0");
        require(partitions >= 0, "--partitions must not be below 0");
        require(stock > 0, "--stock must be above 0");
        require(prefix.matches("[A-Za-z0-9_.-]{1,100}"), "--queue-prefix takes letters, digits, '_', '.' and '-'");
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw wrong(message);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
