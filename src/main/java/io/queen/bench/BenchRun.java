package io.queen.bench;

import io.queen.bench.Scenario.Round;
import java.util.ArrayList;
import java.util.List;

/** Runs the scenarios one after the other; of each all rounds, the servers taking turns: A, B, A, B … */
final class BenchRun {
    private final List<BenchServer> servers;
    private final int rounds;
    private final Progress progress;

    BenchRun(List<BenchServer> servers, int rounds, Progress progress) {
        this.servers = servers;
        this.rounds = rounds;
        this.progress = progress;
    }

    List<Result> run(List<Catalog.Entry> scenarios) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (Catalog.Entry scenario : scenarios) {
            results.addAll(run(scenario));
            servers.forEach(BenchServer::deleteQueues);
        }
        return results;
    }

    private List<Result> run(Catalog.Entry entry) throws InterruptedException {
        List<Scenario> prepared = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        for (BenchServer server : servers) {
            progress.title(name(entry, server, 0));
            prepared.add(entry.maker().apply(server));
            results.add(new Result(entry.name(), server.address(), new ArrayList<>()));
        }
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < servers.size(); i++) {
                String name = name(entry, servers.get(i), round);
                progress.title(name);
                Round done = prepared.get(i).run();
                results.get(i).rounds().add(done);
                progress.say(line(name, done.counts()));
            }
        }
        return results;
    }

    private static String line(String name, Counts counts) {
        return "%-24s %,10.0f messages/s  p50 %.2f ms  p99 %.2f ms  %d errors"
                .formatted(name, counts.messagesPerSecond(), counts.millisAt(50), counts.millisAt(99), counts.errors());
    }

    private String name(Catalog.Entry entry, BenchServer server, int round) {
        String which = servers.size() == 1 ? "" : " " + server.address().name();
        return entry.name() + which + (rounds == 1 || round == 0 ? "" : " " + round + "/" + rounds);
    }
}
