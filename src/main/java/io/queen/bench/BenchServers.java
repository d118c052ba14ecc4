package io.queen.bench;

import io.netty.channel.nio.NioEventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The servers of a run, and the event loops of the generator, apart from those of any server in this process. However the
 * run ends, by Ctrl-C too, the queues it made are deleted.
 */
final class BenchServers implements AutoCloseable {
    private final Settings settings;
    private final Progress progress;
    private final NioEventLoopGroup loops = new NioEventLoopGroup(threads());
    private final List<BenchServer> servers = new ArrayList<>();
    private final Thread hook = new Thread(() -> servers.forEach(BenchServer::deleteQueues), "queen-bench-stop");

    BenchServers(Settings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Half of the cores: the rest is for the server, when it is on this machine. */
    static int threads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    List<BenchServer> all() {
        return servers;
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
        DatabaseFiguresStore.Figures figures = opened.read();
        if (figures.statements() == null) {
            progress.say("PostgreSQL does not count statements here: 'create extension pg_stat_statements' is missing");
        }
        if (figures.cpuMicros() == null) {
            progress.say("PostgreSQL's CPU time is not to be seen: that takes a superuser, and Linux");
        }
        return opened;
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
