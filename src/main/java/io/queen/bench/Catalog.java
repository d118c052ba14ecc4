package io.queen.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The scenarios by name. */
final class Catalog {
    private static final int GROUPS = 10;
    private static final int MOST_PARTITIONS = 100_000;
    private static final String PARTITIONS = "partitions";

    private static final List<Entry> ENTRIES = List.of(
            new Entry("push-1", "one message per request", site -> new PushScenario(site, 1)),
            new Entry("push-10", "10 messages per request", site -> new PushScenario(site, 10)),
            new Entry("push-100", "100 messages per request", site -> new PushScenario(site, 100)),
            new Entry("pop", "10 messages of a named partition; the ack between is not timed", PopScenario::new),
            new Entry(
                    "pop-ack",
                    "10 messages of any partition, and their ack; both timed together",
                    site -> new ConsumeScenario(site, "pop-ack", 1, false)),
            new Entry(
                    "auto-ack",
                    "10 messages of any partition, acknowledged at once",
                    site -> new ConsumeScenario(site, "auto-ack", 1, true)),
            new Entry(
                    "end-to-end",
                    "push answered to message in the hands of a waiting consumer; 1,000 messages/s unless --rate",
                    EndToEndScenario::new),
            new Entry(
                    "transaction",
                    "acks of 10 messages and push of 10, all or nothing; the pop before is not timed",
                    TransactionScenario::new),
            new Entry(
                    "fan-out",
                    "pop-ack by " + GROUPS + " groups that all get every message",
                    site -> new ConsumeScenario(site, "fan-out", GROUPS, false)),
            new Entry(
                    "pops-500",
                    "500 pops at once, each of 100 messages of its own partition; timed until the last answer",
                    site -> new TogetherScenario(site, "pops-500", 100)),
            new Entry(
                    "pops-500-1",
                    "500 pops at once, each of one message, the default; the ack between is not timed",
                    site -> new TogetherScenario(site, "pops-500-1", 1)),
            new Entry(
                    PARTITIONS,
                    "pop of the one message in any of 1, 10 … 100,000 partitions; the push before is not timed",
                    null),
            Entry.inDatabase("insert-1", "no push: a bare INSERT of one row over the server's driver", 1),
            Entry.inDatabase("insert-100", "no push: a bare INSERT of 100 rows, to compare with push-100", 100));

    private Catalog() {}

    /**
     * A scenario that can be made for a server; null for one that stands for several.
     *
     * @param needsDatabase it goes past the server, to its PostgreSQL
     */
    record Entry(String name, String about, Function<Site, Scenario> maker, boolean needsDatabase) {
        Entry(String name, String about, Function<Site, Scenario> maker) {
            this(name, about, maker, false);
        }

        private static Entry inDatabase(String name, String about, int rows) {
            return new Entry(name, about + "; needs --pg", site -> new InsertScenario(site, rows), true);
        }
    }

    static String describe() {
        return ENTRIES.stream()
                .map(entry -> "  %-12s %s".formatted(entry.name(), entry.about()))
                .collect(Collectors.joining("\n"));
    }

    /** The names of what can be measured on servers whose PostgreSQL is to be reached, or is not. */
    static List<String> names(boolean database) {
        return ENTRIES.stream()
                .filter(entry -> database || !entry.needsDatabase())
                .map(Entry::name)
                .toList();
    }

    /** The scenarios with these names; an unknown name is an {@link IllegalArgumentException}. */
    static List<Entry> choose(List<String> names, Settings settings) {
        List<Entry> chosen = new ArrayList<>();
        for (String name : names) {
            Entry entry = ENTRIES.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(name));
            chosen.addAll(entry.maker() == null ? sizes(settings) : List.of(entry));
        }
        return chosen;
    }

    private static List<Entry> sizes(Settings settings) {
        int most = settings.partitions() > 0 ? settings.partitions() : MOST_PARTITIONS;
        List<Entry> entries = new ArrayList<>();
        for (long size = 1; size <= most; size *= 10) {
            int partitions = (int) size;
            entries.add(new Entry(PARTITIONS + "-" + partitions, "", site -> new PartitionsScenario(site, partitions)));
        }
        return entries;
    }
}
