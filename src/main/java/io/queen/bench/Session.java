package io.queen.bench;

import java.util.ArrayList;
import java.util.List;

/** Runs the scenarios one after the other; of each all rounds, the servers taking turns: A, B, A, B … */
final class Session {
    private final List<Site> sites;
    private final int rounds;
    private final Progress progress;

    Session(List<Site> sites, int rounds, Progress progress) {
        this.sites = sites;
        this.rounds = rounds;
        this.progress = progress;
    }

    List<Result> run(List<Catalog.Entry> scenarios) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (Catalog.Entry scenario : scenarios) {
            results.addAll(run(scenario));
            sites.forEach(Site::deleteQueues);
        }
        return results;
    }

    private List<Result> run(Catalog.Entry entry) throws InterruptedException {
        List<Scenario> prepared = new ArrayList<>();
        List<List<Round>> measured = new ArrayList<>();
        for (Site site : sites) {
            title(entry, site, 0);
            prepared.add(entry.maker().apply(site));
            measured.add(new ArrayList<>());
        }
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < sites.size(); i++) {
                title(entry, sites.get(i), round);
                Round done = prepared.get(i).run();
                measured.get(i).add(done);
                say(entry, sites.get(i), round, done.counts());
            }
        }
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < sites.size(); i++) {
            results.add(new Result(entry.name(), sites.get(i).target(), measured.get(i)));
        }
        return results;
    }

    private void title(Catalog.Entry entry, Site site, int round) {
        progress.title(name(entry, site, round));
    }

    private void say(Catalog.Entry entry, Site site, int round, Counts counts) {
        progress.say("%-24s %,10.0f messages/s  p50 %.2f ms  p99 %.2f ms  %d errors"
                .formatted(
                        name(entry, site, round),
                        counts.messagesPerSecond(),
                        counts.millisAt(50),
                        counts.millisAt(99),
                        counts.errors()));
    }

    private String name(Catalog.Entry entry, Site site, int round) {
        String server = sites.size() == 1 ? "" : " " + site.target().name();
        return entry.name() + server + (rounds == 1 || round == 0 ? "" : " " + round + "/" + rounds);
    }
}
