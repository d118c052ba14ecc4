package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.sidecar.WaitingRoom.Guest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The requests of one operation that wait for locks which somebody outside holds: outside the lists and the places of all
 * others, and without a connection. Touched by its own event loop only.
 */
final class LockWait<Q, A> {
    private final BatchOperation<Q, A> work;
    private final LockWatch watch;
    private final OperationMetrics metrics;
    private final WaitingRoom<QueuedRequest<Q, A>> room;
    private final Consumer<List<QueuedRequest<Q, A>>> freed;

    /** @param freed takes requests whose locks are free now, in the order of their arrival */
    LockWait(
            BatchOperation<Q, A> work,
            SidecarLimits limits,
            LockWatch watch,
            OperationMetrics metrics,
            Consumer<List<QueuedRequest<Q, A>>> freed) {
        this.work = work;
        this.watch = watch;
        this.metrics = metrics;
        this.room = new WaitingRoom<>(limits.maxHeldPerKey(), limits.maxWaiting(), limits.maxBytes());
        this.freed = freed;
        watch.add(this);
    }

    /** Takes the request when it needs what is known to be held. While nothing is, this costs nothing. */
    boolean takes(QueuedRequest<Q, A> pending) {
        if (watch.isIdle()) {
            return false;
        }
        Set<LockKey> keys = work.locks(pending.request());
        LockKey held = watch.firstHeld(keys);
        if (held == null) {
            return false;
        }
        if (room.admit(new Guest<>(pending, keys, held, pending.bytes(), pending.arrived()))) {
            metrics.held(1);
        } else {
            metrics.refused();
            pending.fail(refusal(held, "too many requests wait for it"));
        }
        return true;
    }

    /** Those of the list that need nothing that is known to be held. */
    List<QueuedRequest<Q, A>> without(List<QueuedRequest<Q, A>> list) {
        return watch.isIdle()
                ? list
                : list.stream().filter(pending -> !takes(pending)).toList();
    }

    /** A list could not get a lock in time: finds out which. {@code others} takes those that need not wait for one. */
    void sort(Connection connection, List<QueuedRequest<Q, A>> list, Consumer<List<QueuedRequest<Q, A>>> others) {
        Set<LockKey> keys = new HashSet<>();
        list.forEach(pending -> keys.addAll(work.locks(pending.request())));
        watch.look(connection, keys, () -> others.accept(without(list)));
    }

    /** Something has changed: who has nothing to wait for any more goes on. */
    void lookAgain() {
        if (room.size() > 0) {
            List<QueuedRequest<Q, A>> free = new ArrayList<>(room.free(watch::firstHeld));
            metrics.held(-free.size());
            freed.accept(free);
        }
    }

    /** Who arrived before then has waited long enough. */
    void giveUp(long time) {
        List<Guest<QueuedRequest<Q, A>>> late = room.arrivedBefore(time);
        metrics.held(-late.size());
        late.forEach(guest -> guest.item().fail(refusal(guest.waitsFor(), "this request could wait no longer")));
    }

    void fail(Throwable failure) {
        List<QueuedRequest<Q, A>> all = room.clear();
        metrics.held(-all.size());
        all.forEach(pending -> pending.fail(failure));
    }

    private static QueenException refusal(LockKey held, String why) {
        return new QueenException(
                ErrorCode.OVERLOADED, held.told() + " is held by another transaction in PostgreSQL, and " + why);
    }
}
