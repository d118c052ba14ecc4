package io.queen.buffer;

import io.queen.message.ErrorCode;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.runtime.MaintenanceFlags;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Where every push comes in: to the database, or to the file buffer while the database can't or must not take it, or has
 * not taken yet what was pushed to the same partition before.
 *
 * <p>With nothing buffered and no maintenance it costs two volatile reads.
 */
@Singleton
public final class PushRouter {
    /** A push waits so long for buffered messages of its partition, while they are being drained; then it joins them. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final MaintenanceFlags flags;
    private final BufferedPartitions lanes;
    private final Appender appender;
    private final Drain drain;
    private final Sidecar sidecar;
    private final Vertx vertx;

    PushRouter(
            MaintenanceFlags flags,
            BufferedPartitions lanes,
            Appender appender,
            Drain drain,
            Sidecar sidecar,
            Vertx vertx) {
        this.flags = flags;
        this.lanes = lanes;
        this.appender = appender;
        this.drain = drain;
        this.sidecar = sidecar;
        this.vertx = vertx;
    }

    /** Stores or buffers the items, all or none; one result per item, in order. */
    public Uni<List<PushResult>> push(List<PushItem> items) {
        if (flags.push()) {
            return buffer(items);
        }
        return lanes.isEmpty() ? store(items) : behind(items, System.nanoTime() + PATIENCE.toNanos());
    }

    /** A push that was cut off in flight is buffered too: if it had arrived after all, it is a duplicate later. */
    private Uni<List<PushResult>> store(List<PushItem> items) {
        return sidecar.push(items).onFailure(PushRouter::isAway).recoverWithUni(() -> buffer(items));
    }

    private Uni<List<PushResult>> buffer(List<PushItem> items) {
        return appender.append(items).replaceWith(() -> Collections.nCopies(items.size(), PushResult.buffered()));
    }

    private Uni<List<PushResult>> behind(List<PushItem> items, long deadline) {
        PartitionName held = lanes.firstHeld(items);
        if (held == null) {
            return store(items);
        }
        long patience = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        return drain.flows() && patience > 0
                ? free(held, patience).flatMap(done -> behind(items, deadline))
                : buffer(items);
    }

    /** Done when the partition is free, or so many milliseconds have passed. */
    private Uni<Void> free(PartitionName lane, long patience) {
        Context caller = Vertx.currentContext();
        return Uni.createFrom().emitter(emitter -> {
            Runnable freed = () -> caller.runOnContext(ignored -> emitter.complete(null));
            if (!lanes.whenFree(lane, freed)) {
                emitter.complete(null);
                return;
            }
            giveUpAfter(patience, lane, freed, emitter);
        });
    }

    private void giveUpAfter(long patience, PartitionName lane, Runnable freed, UniEmitter<? super Void> emitter) {
        long timer = vertx.setTimer(patience, ignored -> {
            lanes.forget(lane, freed);
            emitter.complete(null);
        });
        emitter.onTermination(() -> vertx.cancelTimer(timer));
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof QueenException known && known.code() == ErrorCode.DATABASE_UNAVAILABLE;
    }
}
