package io.queen.history;

import io.queen.history.Event.Broken;
import io.queen.testing.Sql;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** One run: load and faults, everything healed, everything consumed, everything checked. */
final class Run {
    private static final int EVENTS = 3000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final long seed;
    private final int seconds;
    private final List<Faults> faults;
    private final Random random;
    private final History history = new History();
    private final Stage stage = new Stage();
    private PlantedFault planted;

    Run(long seed, int seconds, List<Faults> faults) {
        this.seed = seed;
        this.seconds = seconds;
        this.faults = faults;
        this.random = new Random(seed);
    }

    /** Faults chosen by the seed, one for every four seconds. */
    static Run of(long seed, int seconds) {
        Random random = new Random(~seed);
        Faults[] all = Faults.values();
        List<Faults> chosen =
                random.ints(seconds / 4, 0, all.length).mapToObj(i -> all[i]).toList();
        return new Run(seed, seconds, chosen);
    }

    /** Builds Queen wrongly in this one way. */
    Run with(PlantedFault fault) {
        planted = fault;
        return this;
    }

    /** What came of it. */
    record Report(
            long seed,
            int operations,
            int messages,
            Map<Faults, Integer> faults,
            List<Violation> violations,
            String logs) {
        @Override
        public String toString() {
            return "history: seed " + seed + ", " + operations + " operations, " + messages + " messages, faults "
                    + faults + ", " + violations.size() + " violations";
        }
    }

    Report on(Path directory) throws Exception {
        try (Installation installation = new Installation(directory)) {
            Workload workload = new Workload(installation, history, stage, seed);
            plant(installation);
            workload.start();
            for (Faults fault : faults) {
                calm();
                strike(installation, fault, () -> fault.strike(installation, random));
            }
            calm();
            strikePlanted(installation);
            stage.drain();
            new Drain(installation).await();
            stage.end();
            workload.join();
            return report(installation);
        }
    }

    /** Nothing breaks for a while: on a slow machine for as long as it takes until something has happened. */
    private void calm() {
        int before = history.size();
        Faults.pass(seconds * 1000L / (faults.size() + 1));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (history.size() - before < EVENTS && System.nanoTime() < end) {
            Faults.pass(100);
        }
    }

    private void plant(Installation installation) {
        if (planted != null) {
            try (Sql sql = installation.postgres().connect()) {
                planted.plant(sql);
            }
        }
    }

    /** To the clients a planted crash is a crash like any other. */
    private void strikePlanted(Installation installation) {
        if (planted != null && planted.looksLike().isPresent()) {
            strike(installation, planted.looksLike().get(), () -> planted.strike(installation));
            calm();
        }
    }

    private void strike(Installation installation, Faults fault, Runnable blow) {
        long start = System.nanoTime();
        stage.disturbed();
        blow.run();
        new Settling(installation, history).await();
        stage.disturbed();
        history.add(new Broken(start, System.nanoTime(), fault));
    }

    private Report report(Installation installation) {
        Map<Faults, Integer> struck = new TreeMap<>();
        faults.forEach(fault -> struck.merge(fault, 1, Integer::sum));
        try (Sql sql = installation.postgres().connect()) {
            Tables tables = Tables.read(sql);
            List<Violation> violations = Checker.check(Workload.PLAN, history, tables);
            return new Report(seed, history.size(), tables.messages(), struck, violations, installation.logs());
        }
    }
}
