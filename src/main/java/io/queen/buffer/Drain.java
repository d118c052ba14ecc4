package io.queen.buffer;

import io.queen.config.QueenConfig;
import io.queen.metrics.Complaints;
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
    private static final long LOOK_ROUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_PAUSE_MS = 1000;

    private final MaintenanceFlags flags;
    private final Backlog backlog;
    private final Journal journal;
    private final Delivery delivery;
    private final Orphans leftovers;
    private final FailedRecords failed;
    private final Complaints complaints;
    private final int flushMillis;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "queen-buffer-drain");
    private volatile boolean flows = true;
    private volatile boolean stopping;
    private long lookedRound = System.nanoTime();
    private int failures;
    private long drained;

    Drain(
            MaintenanceFlags flags,
            Backlog backlog,
            Journal journal,
            Delivery delivery,
            Orphans leftovers,
            FailedRecords failed,
            Complaints complaints,
            QueenConfig config) {
        this.complaints = complaints;
        this.flags = flags;
        this.backlog = backlog;
        this.journal = journal;
        this.delivery = delivery;
        this.leftovers = leftovers;
        this.failed = failed;
        this.flushMillis = config.buffer().flushMs();
    }

    void start() {
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
    boolean flows() {
        return flows;
    }

    private void run() {
        while (!stopping) {
            try {
                turn();
            } catch (IOException | RuntimeException e) {
                failures++;
                complaints.failed("The file buffer is not drained", e);
                pause(MAX_PAUSE_MS);
            }
        }
    }

    private void turn() throws IOException {
        if (System.nanoTime() - lookedRound > LOOK_ROUND_NANOS) {
            lookedRound = System.nanoTime();
            leftovers.adopt();
            failed.count();
        }
        boolean held = flags.push();
        Segment segment = held ? null : backlog.next();
        if (segment == null) {
            idle(held);
        } else {
            drain(segment);
        }
    }

    private void idle(boolean held) {
        flows = !held;
        journal.retireDrained();
        if (drained > 0 && backlog.isEmpty()) {
            LOG.infof("%d buffered messages are in the database now", drained);
            drained = 0;
        }
        pause(backlog.isEmpty() ? TimeUnit.NANOSECONDS.toMillis(LOOK_ROUND_NANOS) : flushMillis);
    }

    private void drain(Segment segment) throws IOException {
        try {
            drained += delivery.deliver(segment);
            flows = true;
            failures = 0;
        } catch (DeliveryFailed e) {
            drained += e.delivered();
            flows = false;
            failures++;
            complaints.failed("Buffered messages stay on disk for now", e.getCause());
            pause(Math.min(MAX_PAUSE_MS, (long) flushMillis << Math.min(failures, 10)));
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
            LOG.debug("Nobody should interrupt this thread", e);
        }
    }
}
