package io.queen.buffer;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** The file buffer as a push sees it, and its start and end. */
@Singleton
public final class PushBuffer {
    /** A push waits so long for buffered messages of its partition, while they are being drained; then it joins them. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private static final long MILLIS_TO_STOP = 5000;

    private final BufferedPartitions partitions;
    private final Appender appender;
    private final Drain drain;
    private final Journal journal;
    private final Vertx vertx;

    PushBuffer(BufferedPartitions partitions, Appender appender, Drain drain, Journal journal, Vertx vertx) {
        this.partitions = partitions;
        this.appender = appender;
        this.drain = drain;
        this.journal = journal;
        this.vertx = vertx;
    }

    /** After maintenance is known (3), which may hold the drain back, and before the port opens. */
    void start(@Observes @Priority(4) StartupEvent event) {
        drain.start();
        appender.start(drain::wake);
    }

    /** Before the sidecars, which the drain uses. */
    void stop(@Observes @Priority(1) ShutdownEvent event) throws InterruptedException {
        boolean ended = drain.stop(MILLIS_TO_STOP);
        appender.stop();
        if (ended) {
            journal.close();
        }
    }

    /** Whether nothing is buffered: one volatile read. */
    public boolean isEmpty() {
        return partitions.isEmpty();
    }

    /** Done, on the context of the caller, when the request is safe on disk. */
    public Uni<Void> append(List<PushItem> items) {
        return appender.append(items);
    }

    /**
     * True when no partition of these items has buffered messages, or soon has none. False when the items have to be
     * buffered behind others.
     */
    public Uni<Boolean> awaitDrained(List<PushItem> items) {
        return awaitDrained(items, System.nanoTime() + PATIENCE.toNanos());
    }

    private Uni<Boolean> awaitDrained(List<PushItem> items, long deadline) {
        PartitionName buffered = partitions.firstOf(items);
        if (buffered == null) {
            return Uni.createFrom().item(true);
        }
        long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        return drain.isDelivering() && millis > 0
                ? drained(buffered, millis).flatMap(done -> awaitDrained(items, deadline))
                : Uni.createFrom().item(false);
    }

    /** Done when the partition has no buffered messages, or so many milliseconds have passed. */
    private Uni<Void> drained(PartitionName partition, long millis) {
        Context caller = Vertx.currentContext();
        return Uni.createFrom().emitter(emitter -> {
            Runnable drained = () -> caller.runOnContext(ignored -> emitter.complete(null));
            if (!partitions.whenDrained(partition, drained)) {
                emitter.complete(null);
                return;
            }
            long timer = vertx.setTimer(millis, ignored -> {
                partitions.forget(partition, drained);
                emitter.complete(null);
            });
            emitter.onTermination(() -> vertx.cancelTimer(timer));
        });
    }
}
