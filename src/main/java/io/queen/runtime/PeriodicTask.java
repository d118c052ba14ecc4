package io.queen.runtime;

import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Something done at the start and then again and again: a run begins that long after the last one ended, never two at
 * once. A run that fails is a complaint; that it succeeds again is told.
 */
public final class PeriodicTask {
    private static final Logger LOG = Logger.getLogger(PeriodicTask.class);

    private final Vertx vertx;
    private final String name;
    private final Complaints complaints;
    private final Supplier<Uni<Long>> run;
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile boolean stopped;

    /**
     * @param name for the log: "Retention"
     * @param run one run; gives the milliseconds until the next
     */
    public PeriodicTask(Vertx vertx, String name, Complaints complaints, Supplier<Uni<Long>> run) {
        this.vertx = vertx;
        this.complaints = complaints;
        this.name = name;
        this.run = run;
    }

    /** Begins the first run; {@code otherwise} are the milliseconds to the next one after a failure. */
    public void start(long otherwise) {
        if (!stopped) {
            Uni.createFrom()
                    .deferred(run::get)
                    .subscribe()
                    .with(next -> succeeded(next, otherwise), failure -> failed(failure, otherwise));
        }
    }

    /** Begins the first run after so many milliseconds. */
    public void startIn(long millis, long otherwise) {
        later(millis, otherwise);
    }

    public void stop() {
        stopped = true;
    }

    private void succeeded(long next, long otherwise) {
        if (failing.compareAndSet(true, false)) {
            LOG.infof("%s works again", name);
        }
        later(next, otherwise);
    }

    private void failed(Throwable failure, long otherwise) {
        if (!stopped) {
            failing.set(true);
            complaints.failed(name + " fails", failure);
        }
        later(otherwise, otherwise);
    }

    private void later(long millis, long otherwise) {
        if (!stopped) {
            vertx.setTimer(Math.max(1, millis), ignored -> start(otherwise));
        }
    }
}
