package io.queen.bench;

import io.queen.database.DatabaseFigures;
import java.util.ArrayList;
import java.util.List;

/** The servers of a run. However it ends, by Ctrl-C too, the queues it made are deleted. */
final class Sites implements AutoCloseable {
    private final Settings settings;
    private final Progress progress;
    private final Client client = new Client();
    private final List<Site> sites = new ArrayList<>();
    private final Thread hook = new Thread(this::leave, "queen-bench-stop");

    Sites(Settings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    List<Site> all() {
        return sites;
    }

    /** Fails when the server or its database can't be reached. */
    void add(Target target, String database, Long serverPid) {
        Site site = new Site(target, client, settings, progress, database == null ? null : open(database), serverPid);
        sites.add(site);
        site.check();
    }

    private DatabaseFigures open(String url) {
        try {
            DatabaseFigures opened = DatabaseFigures.open(url);
            DatabaseFigures.Reading reading = opened.read();
            if (reading.statements() == null) {
                progress.say(
                        "PostgreSQL does not count statements here: 'create extension pg_stat_statements' is missing");
            }
            if (reading.cpuMicros() == null) {
                progress.say("PostgreSQL's CPU time is not to be seen: that takes a superuser, and Linux");
            }
            return opened;
        } catch (IllegalArgumentException e) {
            throw new BenchException("Cannot use the database of --pg: " + e.getMessage());
        }
    }

    private void leave() {
        sites.forEach(Site::deleteQueues);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook is at it
        }
        sites.forEach(Site::close);
        client.close();
    }
}
