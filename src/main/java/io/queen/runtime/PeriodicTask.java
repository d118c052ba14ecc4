package io.queen.runtime;

import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Something done again and again: a run begins a pause after the last one has ended, never two at once. A run that fails
 * is a complaint. Started and stopped by any thread.
 */
public final class PeriodicTask {
    private static final Logger LOG = Logger.getLogger(PeriodicTask.class);

    private final Timers timers;
    private final Complaints complaints;
    private final String complaint;
    private final long pauseMillis;
    private final Supplier<Uni<Long>> run;
    private String recovered;
    private boolean failing;
    private boolean running;
    private boolean stopped;
    private Runnable cancel = () -> {};

    /** See {@link PeriodicTasks}. */
    PeriodicTask(Timers timers, Complaints complaints, String complaint, long pauseMillis, Supplier<Uni<Long>> run) {
        this.timers = timers;
        this.complaints = complaints;
        this.complaint = complaint;
        this.pauseMillis = pauseMillis;
        this.run = run;
    }

    /** Says this in the log when a run succeeds after one that failed. */
    public PeriodicTask sayingWhenBack(String line) {
        recovered = line;
        return this;
    }

    /** The first run begins now; also a run out of turn, unless one is under way. */
    public void runNow() {
        synchronized (this) {
            if (stopped || running) {
                return;
            }
            running = true;
            cancel.run();
        }
        Uni.createFrom().deferred(run::get).subscribe().with(this::succeeded, this::failed);
    }

    /** The first run begins after the pause. */
    public void start() {
        startIn(pauseMillis);
    }

    public synchronized void startIn(long millis) {
        if (!stopped && !running) {
            cancel.run();
            cancel = timers.after(millis, this::runNow);
        }
    }

    public synchronized void stop() {
        stopped = true;
        cancel.run();
    }

    private void succeeded(Long next) {
        if (ended(next, false) && recovered != null) {
            LOG.info(recovered);
        }
    }

    private void failed(Throwable failure) {
        ended(pauseMillis, true);
        complaints.failed(complaint, failure);
    }

    /** Whether the run before had failed. */
    private synchronized boolean ended(long next, boolean fails) {
        boolean before = failing;
        failing = fails;
        running = false;
        startIn(next);
        return before;
    }
}
