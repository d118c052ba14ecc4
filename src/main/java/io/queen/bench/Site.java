package io.queen.bench;

import io.queen.database.DatabaseFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One server with all that a scenario needs there: connections, queues that are deleted at the end, figures. */
final class Site implements AutoCloseable {
    private final Target target;
    private final Client client;
    private final Settings settings;
    private final Progress progress;
    private final DatabaseFigures database;
    private final Long serverPid;
    private final Requests requests;
    private final List<String> queues = new ArrayList<>();

    Site(Target target, Client client, Settings settings, Progress progress, DatabaseFigures database, Long serverPid) {
        this.target = target;
        this.client = client;
        this.settings = settings;
        this.progress = progress;
        this.database = database;
        this.serverPid = serverPid;
        this.requests = new Requests(target);
    }

    Target target() {
        return target;
    }

    Settings settings() {
        return settings;
    }

    Progress progress() {
        return progress;
    }

    Requests requests() {
        return requests;
    }

    Wire open() {
        return client.open(target);
    }

    Answer ask(byte[] request) {
        return client.ask(target, request);
    }

    /** The name of a new queue, remembered to be deleted. */
    String queue(String stem) {
        String name = settings.prefix() + "-" + target.name() + "-" + stem + "-"
                + Long.toString(System.nanoTime(), Character.MAX_RADIX);
        synchronized (queues) {
            queues.add(name);
        }
        return name;
    }

    /** Fails when the server is not there, before anything else is tried. */
    void check() {
        Answer answer = ask(requests.get("/health"));
        if (answer.status() == 0) {
            throw new BenchException("Cannot reach " + target + " (" + answer.problem() + ")");
        }
    }

    /** Of the server's PostgreSQL, for scenarios that need it. */
    String databaseUrl() {
        return database.url();
    }

    /** The clock of the generator's CPU is the whole process: one generator per process. */
    Figures figures() {
        long own = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1000;
        ServerFigures server = ServerFigures.read(ask(requests.get("/metrics")), serverPid);
        return Figures.of(server, database == null ? DatabaseFigures.Reading.NOTHING : database.read(), own);
    }

    /** Deletes the queues; those that can't be deleted are named. */
    void deleteQueues() {
        List<String> names;
        synchronized (queues) {
            names = List.copyOf(queues);
            queues.clear();
        }
        for (String name : names) {
            Answer answer = ask(requests.delete("/api/v1/resources/queues/" + name));
            if (!answer.succeeded()) {
                progress.say("The queue " + name + " stays on " + target + ": " + answer.problem());
            }
        }
    }

    @Override
    public void close() {
        deleteQueues();
        if (database != null) {
            database.close();
        }
    }
}
