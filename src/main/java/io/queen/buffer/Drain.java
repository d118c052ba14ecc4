package io.queen.buffer;

import io.queen.config.QueenConfig;
import io.queen.metrics.Complaints;
import io.queen.runtime.Backoff;
import io.queen.runtime.MaintenanceFlags;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Brings buffered messages to the database, on a thread of its own: as soon as something is buffered and no maintenance
 * holds it back, and again from time to time while the database does not take it.
 */
@Singleton
final class Drain {
    private static final Logger LOG = Logger.getLogger(Drain.class);
    private static final long LOOK_ROUND_MS = 10_000;
    private static final long MAX_PAUSE_MS = 1000;

    private final MaintenanceFlags flags;
    private final Journal journal;
    private final Delivery delivery;
    private final Orphans orphans;
    private final FailedRecords failed;
    private final Complaints complaints;
    private final int flushMillis;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "queen-buffer-drain");
    private volatile boolean delivering = true;
    private volatile boolean stopping;
    private long lookedRound;
    private int failures;

    Drain(
            MaintenanceFlags flags,
            Journal journal,
            Delivery delivery,
            Orphans orphans,
            FailedRecords failed,
            Complaints complaints,
            QueenConfig config) {
        this.flags = flags;
        this.journal = journal;
        this.delivery = delivery;
        this.orphans = orphans;
        this.failed = failed;
        this.complaints = complaints;
        this.flushMillis = config.buffer().flushMs();
    }

    /** What an earlier server left is known when this returns. */
    void start() {
        try {
            lookRound();
        } catch (IOException e) {
            LOG.warnf("What earlier servers may have buffered can't be read: %s", e.toString());
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends after the call that is under way, and tells whether that was within this time. What is left is left. */
    boolean stop(long patienceMillis) throws InterruptedException {
        stopping = true;
        wake();
        thread.join(patienceMillis);
        return !thread.isAlive();
    }

    /** Something was buffered. */
    void wake() {
        news.release();
    }

    /** Whether buffered messages are on their way: the last attempt succeeded, and nothing holds them back. */
    boolean isDelivering() {
        return delivering;
    }

    private void run() {
        while (!stopping) {
            try {
                turn();
            } catch (IOException | RuntimeException e) {
                complaints.failed("The file buffer is not drained", e);
                pause(MAX_PAUSE_MS);
            }
        }
    }

    private void turn() throws IOException {
        if (System.nanoTime() - lookedRound > TimeUnit.MILLISECONDS.toNanos(LOOK_ROUND_MS)) {
            lookRound();
        }
        boolean maintenance = flags.push();
        Segment segment = maintenance ? null : journal.next();
        if (segment == null) {
            delivering = !maintenance;
            idle();
        } else {
            drain(segment);
        }
    }

    private void lookRound() throws IOException {
        lookedRound = System.nanoTime();
        orphans.adopt();
        failed.count();
    }

    private void idle() {
        journal.retireDrained();
        if (journal.isEmpty()) {
            long delivered = delivery.takeDelivered();
            if (delivered > 0) {
                LOG.infof("%d buffered messages are in the database now", delivered);
            }
            pause(LOOK_ROUND_MS);
        } else {
            pause(flushMillis);
        }
    }

    private void drain(Segment segment) throws IOException {
        try {
            delivery.deliver(segment);
            delivering = true;
            failures = 0;
        } catch (DeliveryFailed e) {
            delivering = false;
            failures++;
            complaints.failed("Buffered messages stay on disk for now", e.getCause());
            pause(Backoff.doubling(2L * flushMillis, MAX_PAUSE_MS).millisAfter(failures));
            return;
        }
        if (segment.isDrained()) {
            journal.retireUnlessOpen(segment);
        }
    }

    private void pause(long millis) {
        try {
            if (news.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            LOG.debug("Nothing should interrupt this thread", e);
        }
    }
}
