package io.queen.bench;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The scenarios by name. */
final class Catalog {
    private static final int GROUPS = 10;
    private static final int MOST_PARTITIONS = 100_000;
    private static final String PARTITIONS = "partitions";

    private static final List<Entry> ENTRIES = List.of(
            entry("push-1", "one message per request", server -> Scenarios.push(server, 1)),
            entry("push-10", "10 messages per request", server -> Scenarios.push(server, 10)),
            entry("push-100", "100 messages per request", server -> Scenarios.push(server, 100)),
            entry("pop", "10 messages of a named partition; the ack between is not timed", Scenarios::pop),
            entry(
                    "pop-ack",
                    "10 messages of any partition, and their ack; both timed together",
                    server -> Scenarios.consume(server, "pop-ack", 1, false)),
            entry(
                    "auto-ack",
                    "10 messages of any partition, acknowledged at once",
                    server -> Scenarios.consume(server, "auto-ack", 1, true)),
            entry(
                    "end-to-end",
                    "push answered to message in the hands of a waiting consumer; 1,000 messages/s unless --rate",
                    EndToEndScenario::new),
            entry(
                    "transaction",
                    "acks of 10 messages and push of 10, all or nothing; the pop before is not timed",
                    Scenarios::transaction),
            entry(
                    "fan-out",
                    "pop-ack by " + GROUPS + " groups that all get every message",
                    server -> Scenarios.consume(server, "fan-out", GROUPS, false)),
            entry(
                    "pops-500",
                    "500 pops at once, each of 100 messages of its own partition; timed until the last answer",
                    server -> new SimultaneousPopsScenario(server, "pops-500", 100)),
            entry(
                    "pops-500-1",
                    "500 pops at once, each of one message, the default; the ack between is not timed",
                    server -> new SimultaneousPopsScenario(server, "pops-500-1", 1)),
            entry(
                    PARTITIONS,
                    "pop of the one message in any of 1, 10 … 100,000 partitions; the push before is not timed",
                    null),
            inserts("insert-1", "no push: a bare INSERT of one row over the server's driver", 1),
            inserts("insert-100", "no push: a bare INSERT of 100 rows, to compare with push-100", 100));

    private Catalog() {}

    /**
     * A scenario and how to prepare it on a server.
     *
     * @param maker null for a name that stands for several scenarios
     * @param needsDatabase it goes past the server, to its PostgreSQL
     */
    record Entry(String name, String about, Function<BenchServer, Scenario> maker, boolean needsDatabase) {}

    private static Entry entry(String name, String about, Function<BenchServer, Scenario> maker) {
        return new Entry(name, about, maker, false);
    }

    private static Entry inserts(String name, String about, int rows) {
        return new Entry(name, about + "; needs --pg", server -> Scenarios.insert(server, rows), true);
    }

    static String describe() {
        return ENTRIES.stream()
                .map(entry -> "  %-12s %s".formatted(entry.name(), entry.about()))
                .collect(Collectors.joining("\n"));
    }

    /** The names of what can be measured on servers whose PostgreSQL can be reached, or cannot. */
    static List<String> names(boolean database) {
        return ENTRIES.stream()
                .filter(entry -> database || !entry.needsDatabase())
                .map(Entry::name)
                .toList();
    }

    /** The scenarios with these names, which are all known. */
    static List<Entry> choose(List<String> names, Settings settings) {
        return names.stream()
                .flatMap(name -> name.equals(PARTITIONS) ? sizes(settings) : named(name))
                .toList();
    }

    private static Stream<Entry> named(String name) {
        return ENTRIES.stream().filter(entry -> entry.name().equals(name));
    }

    private static Stream<Entry> sizes(Settings settings) {
        int most = settings.partitions > 0 ? settings.partitions : MOST_PARTITIONS;
        return IntStream.iterate(1, size -> size > 0 && size <= most, size -> size > most / 10 ? -1 : size * 10)
                .mapToObj(size -> entry(PARTITIONS + "-" + size, "", server -> Scenarios.partitions(server, size)));
    }
}
