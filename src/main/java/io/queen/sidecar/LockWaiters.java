package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The requests of one operation that wait for locks which another transaction holds, in the order of their arrival: without
 * a connection, and outside the batches and the bounds of all others. A request waits while anything that it needs is held,
 * and counts for the first of that: so many wait for one lock, so many in all, and so many bytes, but one alone always
 * fits. Touched by its own event loop only.
 */
final class LockWaiters<Q, A> {

    /** @param needs all that it has to lock; {@code waitsFor} is the first of it that is held */
    private record Waiter<Q, A>(QueuedRequest<Q, A> request, Set<LockKey> needs, LockKey waitsFor) {}

    private final BatchOperation<Q, A> operation;
    private final BatchLimits limits;
    private final LockWatch watch;
    private final OperationMetrics metrics;
    private final Consumer<List<QueuedRequest<Q, A>>> onFreed;
    private final Map<LockKey, Integer> perLock = new HashMap<>();
    private final List<Waiter<Q, A>> waiters = new ArrayList<>();
    private long bytes;

    /** @param onFreed takes requests whose locks are free now, in the order of their arrival */
    LockWaiters(
            BatchOperation<Q, A> operation,
            BatchLimits limits,
            LockWatch watch,
            OperationMetrics metrics,
            Consumer<List<QueuedRequest<Q, A>>> onFreed) {
        this.operation = operation;
        this.limits = limits;
        this.watch = watch;
        this.metrics = metrics;
        this.onFreed = onFreed;
        watch.add(this);
    }

    /** Takes the request when it needs what is known to be held. While nothing is, this costs nothing. */
    boolean take(QueuedRequest<Q, A> request) {
        if (watch.isIdle()) {
            return false;
        }
        Set<LockKey> needs = operation.locks(request.request());
        LockKey held = watch.firstHeld(needs);
        if (held == null) {
            return false;
        }
        if (hasRoom(request, held)) {
            add(new Waiter<>(request, needs, held), placeOf(request));
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
        Set<LockKey> needs = new HashSet<>();
        batch.forEach(request -> needs.addAll(operation.locks(request.request())));
        watch.look(connection, needs, () -> others.accept(takeFrom(batch)));
    }

    /** Whether it came recently enough to wait longer. */
    boolean mayWait(QueuedRequest<Q, A> request) {
        return request.arrived() - watch.oldestArrival() >= 0;
    }

    /** Something is free that was held: requests that need nothing else go on, others count for what they need still. */
    void letGo() {
        List<QueuedRequest<Q, A>> free = new ArrayList<>();
        for (Waiter<Q, A> waiter : remove(waiters)) {
            LockKey held = watch.firstHeld(waiter.needs());
            if (held == null) {
                free.add(waiter.request());
            } else {
                add(new Waiter<>(waiter.request(), waiter.needs(), held), waiters.size());
            }
        }
        metrics.held(-free.size());
        onFreed.accept(free);
    }

    /** Refuses requests that have waited for too long. */
    void giveUp() {
        int late = 0;
        while (late < waiters.size() && !mayWait(waiters.get(late).request())) {
            late++;
        }
        for (Waiter<Q, A> waiter : remove(waiters.subList(0, late))) {
            waiter.request().fail(refusal(waiter.waitsFor(), "this request could wait no longer"));
        }
        metrics.held(-late);
    }

    void fail(Throwable failure) {
        metrics.held(-waiters.size());
        remove(waiters).forEach(waiter -> waiter.request().fail(failure));
    }

    private boolean hasRoom(QueuedRequest<Q, A> request, LockKey held) {
        return waiters.size() < limits.maxWaiting()
                && (waiters.isEmpty() || bytes + request.bytes() <= limits.maxBytes())
                && perLock.getOrDefault(held, 0) < limits.maxWaitingPerLock();
    }

    /** Behind all that arrived before it: nearly always the end. */
    private int placeOf(QueuedRequest<Q, A> request) {
        int place = waiters.size();
        while (place > 0 && waiters.get(place - 1).request().arrived() - request.arrived() > 0) {
            place--;
        }
        return place;
    }

    private void add(Waiter<Q, A> waiter, int place) {
        waiters.add(place, waiter);
        perLock.merge(waiter.waitsFor(), 1, Integer::sum);
        bytes += waiter.request().bytes();
    }

    private List<Waiter<Q, A>> remove(List<Waiter<Q, A>> some) {
        List<Waiter<Q, A>> removed = List.copyOf(some);
        some.clear();
        for (Waiter<Q, A> waiter : removed) {
            perLock.computeIfPresent(waiter.waitsFor(), (lock, count) -> count == 1 ? null : count - 1);
            bytes -= waiter.request().bytes();
        }
        return removed;
    }

    private static QueenException refusal(LockKey held, String why) {
        return new QueenException(
                ErrorCode.OVERLOADED, held.told() + " is held by another transaction in PostgreSQL, and " + why);
    }
}
