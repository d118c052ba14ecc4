package io.queen.bench;

import io.queen.bench.Scenario.Round;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One round of workers side by side: for the warm-up, then for the time that counts. What was under way at the end is
 * waited for.
 */
final class Load {
    static final int GRACE_SECONDS = 30;

    final Schedule schedule;
    final LiveCounts counts;
    /** Workers that have not ended. */
    final CountDownLatch busy;

    volatile boolean stopped;
    private final BenchServer server;

    private Load(BenchServer server, double rate, int workers) {
        this.server = server;
        Settings settings = server.settings();
        this.schedule = new Schedule(System.nanoTime(), settings.warmup, settings.duration, rate);
        this.counts = new LiveCounts(schedule);
        this.busy = new CountDownLatch(workers);
    }

    /**
     * @param workers make their attempts as the schedule says
     * @param listeners run without one, until the workers have ended and nothing is outstanding
     * @param outstanding how many messages were sent and have not arrived
     */
    static Round run(
            BenchServer server, double rate, List<Worker> workers, List<Worker> listeners, LongSupplier outstanding)
            throws InterruptedException {
        Load load = new Load(server, rate, workers.size());
        listeners.forEach(listener -> listener.begin(load, false));
        workers.forEach(worker -> worker.begin(load, true));
        try {
            return load.measure(outstanding);
        } finally {
            load.stopped = true;
            listeners.forEach(Worker::close);
            workers.forEach(Worker::close);
        }
    }

    private Round measure(LongSupplier outstanding) throws InterruptedException {
        server.progress().until(schedule.untilCounting(System.nanoTime()), counts, "warm-up");
        ResourceUsage before = server.usage();
        server.progress().until(schedule.untilEnd(System.nanoTime()), counts, "");
        ResourceUsage spent = server.usage().since(before);
        long missed = schedule.missed();
        boolean answered = busy.await(GRACE_SECONDS, TimeUnit.SECONDS);
        counts.failed("no answer within " + GRACE_SECONDS + " s", answered ? 0 : busy.getCount());
        counts.failed("message not delivered within " + GRACE_SECONDS + " s", undelivered(outstanding));
        return new Round(counts.sum(), spent, missed);
    }

    private static long undelivered(LongSupplier outstanding) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        while (outstanding.getAsLong() > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(1);
        }
        return outstanding.getAsLong();
    }
}
