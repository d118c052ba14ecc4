package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.sidecar.WaitingRoom.Guest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The requests of one operation that wait for locks which another transaction holds: without a connection, and outside the
 * batches and the bounds of all others. Touched by its own event loop only.
 */
final class LockWaiters<Q, A> {
    private final BatchOperation<Q, A> operation;
    private final LockWatch watch;
    private final OperationMetrics metrics;
    private final WaitingRoom<QueuedRequest<Q, A>> room;
    private final Consumer<List<QueuedRequest<Q, A>>> onFreed;

    /** @param onFreed takes requests whose locks are free now, in the order of their arrival */
    LockWaiters(
            BatchOperation<Q, A> operation,
            BatchLimits limits,
            LockWatch watch,
            OperationMetrics metrics,
            Consumer<List<QueuedRequest<Q, A>>> onFreed) {
        this.operation = operation;
        this.watch = watch;
        this.metrics = metrics;
        this.room = new WaitingRoom<>(limits.maxWaitingPerLock(), limits.maxWaiting(), limits.maxBytes());
        this.onFreed = onFreed;
        watch.add(this);
    }

    /** Takes the request when it needs what is known to be held. While nothing is, this costs nothing. */
    boolean take(QueuedRequest<Q, A> request) {
        if (watch.isIdle()) {
            return false;
        }
        Set<LockKey> keys = operation.locks(request.request());
        LockKey held = watch.firstHeld(keys);
        if (held == null) {
            return false;
        }
        if (room.admit(new Guest<>(request, keys, held, request.bytes(), request.arrived()))) {
            metrics.held(1);
        } else {
            metrics.refused();
            request.fail(refusal(held, "too many requests wait for it"));
        }
        return true;
    }

    /** Takes those of the batch that need what is known to be held, and gives the others. */
    List<QueuedRequest<Q, A>> takeFrom(List<QueuedRequest<Q, A>> batch) {
        return watch.isIdle()
                ? batch
                : batch.stream().filter(request -> !take(request)).toList();
    }

    /** A batch could not get a lock in time: finds out which, and takes those that need it. */
    void findHeld(Connection connection, List<QueuedRequest<Q, A>> batch, Consumer<List<QueuedRequest<Q, A>>> others) {
        Set<LockKey> keys = new HashSet<>();
        batch.forEach(request -> keys.addAll(operation.locks(request.request())));
        watch.look(connection, keys, () -> others.accept(takeFrom(batch)));
    }

    /** Whether it came recently enough to wait longer. */
    boolean mayWait(QueuedRequest<Q, A> request) {
        return request.arrived() - watch.oldestArrival() >= 0;
    }

    /** Something is free that was held: requests that need nothing else go on. */
    void letGo() {
        if (room.size() > 0) {
            List<QueuedRequest<Q, A>> free = room.free(watch::firstHeld);
            metrics.held(-free.size());
            onFreed.accept(free);
        }
    }

    /** Refuses requests that have waited for too long. */
    void giveUp() {
        List<Guest<QueuedRequest<Q, A>>> late = room.arrivedBefore(watch.oldestArrival());
        metrics.held(-late.size());
        late.forEach(guest -> guest.item().fail(refusal(guest.waitsFor(), "this request could wait no longer")));
    }

    void fail(Throwable failure) {
        List<QueuedRequest<Q, A>> all = room.clear();
        metrics.held(-all.size());
        all.forEach(request -> request.fail(failure));
    }

    private static QueenException refusal(LockKey held, String why) {
        return new QueenException(
                ErrorCode.OVERLOADED, held.told() + " is held by another transaction in PostgreSQL, and " + why);
    }
}
