package io.queen.bench;

import io.netty.channel.nio.NioEventLoopGroup;
import io.queen.bench.Scenario.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the scenarios one after the other; of each all rounds, the servers taking turns: A, B, A, B … The event loops are
 * the generator's own, apart from those of any server in this process. However the run ends, by Ctrl-C too, the queues it
 * made are deleted.
 */
final class BenchRun implements AutoCloseable {
    private final Settings settings;
    private final Progress progress;
    private final NioEventLoopGroup loops = new NioEventLoopGroup(threads());
    private final List<BenchServer> servers = new ArrayList<>();
    private final Thread hook = new Thread(() -> servers.forEach(BenchServer::deleteQueues), "queen-bench-stop");

    BenchRun(Settings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Half of the cores: the rest is for the server, when it is on this machine. */
    static int threads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /** Fails when the server or its database can't be reached. */
    void add(ServerAddress address, String databaseUrl, Long pid) {
        DatabaseFiguresStore database = databaseUrl == null ? null : open(databaseUrl);
        Requests requests = new Requests(address, settings.payload);
        BenchServer server =
                new BenchServer(address, loops, settings, progress, database, pid, requests, new ArrayList<>());
        servers.add(server);
        server.check();
    }

    private DatabaseFiguresStore open(String url) {
        DatabaseFiguresStore opened = new DatabaseFiguresStore(url);
        Map<String, Long> known = opened.read();
        if (!known.containsKey(ResourceUsage.STATEMENTS)) {
            progress.say("PostgreSQL does not count statements here: 'create extension pg_stat_statements' is missing");
        }
        if (!known.containsKey(ResourceUsage.POSTGRES_CPU)) {
            progress.say("PostgreSQL's CPU time is not to be seen: that takes a superuser, and Linux");
        }
        return opened;
    }

    List<Result> run(List<Catalog.Entry> scenarios, int rounds) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (Catalog.Entry scenario : scenarios) {
            results.addAll(run(scenario, rounds));
            servers.forEach(BenchServer::deleteQueues);
        }
        return results;
    }

    private List<Result> run(Catalog.Entry entry, int rounds) throws InterruptedException {
        List<Scenario> prepared = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        for (BenchServer server : servers) {
            progress.title(name(entry, server));
            prepared.add(entry.maker().apply(server));
            results.add(new Result(entry.name(), server.address(), new ArrayList<>()));
        }
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < servers.size(); i++) {
                String name = name(entry, servers.get(i)) + (rounds == 1 ? "" : " " + round + "/" + rounds);
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

    private String name(Catalog.Entry entry, BenchServer server) {
        return entry.name() + (servers.size() == 1 ? "" : " " + server.address().name());
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook is at it
        }
        servers.forEach(BenchServer::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
