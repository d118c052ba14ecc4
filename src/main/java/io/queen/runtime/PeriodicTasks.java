package io.queen.runtime;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Makes the periodic tasks of the server, and stops them when it stops. Their owners start them: with the application, or
 * when the schema is ready. A complaint is a sentence as {@link Complaints#failed} wants it.
 */
@Singleton
public final class PeriodicTasks {
    private static final long COMPLAINTS_MS = 5000;

    private final Vertx vertx;
    private final Timers timers;
    private final Complaints complaints;
    private final List<PeriodicTask> tasks = new CopyOnWriteArrayList<>();

    PeriodicTasks(Vertx vertx, Complaints complaints) {
        this.vertx = vertx;
        this.timers = Timers.of(vertx);
        this.complaints = complaints;
    }

    void start(@Observes StartupEvent event) {
        Uni<Void> tell = Uni.createFrom().voidItem().invoke(complaints::tell);
        every(COMPLAINTS_MS, "Complaints are not told", () -> tell).start();
    }

    void stop(@Observes ShutdownEvent event) {
        tasks.forEach(PeriodicTask::stop);
    }

    /** With that pause between two runs. */
    public PeriodicTask every(long millis, String complaint, Supplier<? extends Uni<?>> run) {
        return paced(millis, complaint, () -> run.get().replaceWith(millis));
    }

    /** A run gives the milliseconds until the next; {@code otherwise} are those after a failure. */
    public PeriodicTask paced(long otherwise, String complaint, Supplier<Uni<Long>> run) {
        PeriodicTask task = new PeriodicTask(timers, complaints, complaint, otherwise, run);
        tasks.add(task);
        return task;
    }

    /** Runs on a worker thread; what it gives does not matter. */
    public PeriodicTask blocking(long millis, String complaint, Callable<?> run) {
        return every(
                millis,
                complaint,
                () -> Uni.createFrom()
                        .completionStage(() -> vertx.executeBlocking(run, false).toCompletionStage()));
    }
}
