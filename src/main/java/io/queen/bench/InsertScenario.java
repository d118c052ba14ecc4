package io.queen.bench;

import io.queen.database.BareInserts;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * INSERTs of so many rows into a bare table in the server's database, past the server and as fast as they are answered:
 * what a push of as many messages is to be compared with.
 */
final class InsertScenario implements Scenario {
    private final Site site;
    private final int rows;

    InsertScenario(Site site, int rows) {
        this.site = site;
        this.rows = rows;
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        try (BareInserts inserts = open(settings)) {
            Window window = Window.startingNow(settings);
            CountDownLatch busy = new CountDownLatch(inserts.connections());
            List<Lane> lanes = IntStream.range(0, inserts.connections())
                    .mapToObj(i -> new Lane(inserts, i, window, busy))
                    .toList();
            lanes.forEach(Lane::next);
            Progress.Source source = source(lanes);
            site.progress().until(window.untilCounting(System.nanoTime()), source, "warm-up");
            Figures before = site.figures();
            site.progress().until(window.untilEnd(System.nanoTime()), source, "");
            Figures spent = site.figures().since(before);
            if (!busy.await(Load.GRACE_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchException("PostgreSQL does not answer: " + site.databaseUrl());
            }
            return new Round(
                    Counts.together(
                            lanes.stream().map(lane -> lane.tally.counts()).toList()),
                    spent,
                    0);
        }
    }

    private BareInserts open(Settings settings) {
        try {
            return BareInserts.open(
                    site.databaseUrl(),
                    Client.threads(),
                    settings.connections(),
                    settings.partitionsOrDefault(),
                    rows,
                    Payload.of(settings.payload(), 0));
        } catch (IllegalArgumentException e) {
            throw new BenchException("Cannot use the database of --pg: " + e.getMessage());
        }
    }

    private static Progress.Source source(List<Lane> lanes) {
        return new Progress.Source() {
            @Override
            public long messages() {
                return lanes.stream().mapToLong(lane -> lane.tally.seen()).sum();
            }

            @Override
            public long errors() {
                return lanes.stream().mapToLong(lane -> lane.tally.errors()).sum();
            }
        };
    }

    /** One connection, insert after insert. */
    private final class Lane {
        private final BareInserts inserts;
        private final int connection;
        private final Window window;
        private final CountDownLatch busy;
        private final Tally tally;

        Lane(BareInserts inserts, int connection, Window window, CountDownLatch busy) {
            this.inserts = inserts;
            this.connection = connection;
            this.window = window;
            this.busy = busy;
            this.tally = new Tally(window);
        }

        void next() {
            long start = System.nanoTime();
            if (window.isOver(start)) {
                busy.countDown();
                return;
            }
            inserts.insert(connection).onComplete(done -> {
                if (done.succeeded()) {
                    tally.record(start, rows, System.nanoTime() - start);
                    next();
                } else {
                    tally.failed(done.cause().getMessage());
                    busy.countDown();
                }
            });
        }
    }
}
