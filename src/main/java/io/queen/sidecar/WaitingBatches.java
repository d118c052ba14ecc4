package io.queen.sidecar;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The batches of one operation that wait for a connection, in order. It also counts the requests that wait to be in one.
 * Touched by its own event loop only.
 */
final class WaitingBatches<Q, A> {
    private final OperationMetrics metrics;
    private final Deque<List<QueuedRequest<Q, A>>> batches = new ArrayDeque<>();
    private int requests;
    private int items;

    WaitingBatches(OperationMetrics metrics) {
        this.metrics = metrics;
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    /** How many requests wait, in batches or not. */
    int requests() {
        return requests;
    }

    /** How many items those have. */
    int items() {
        return items;
    }

    /** Counts a request that is in no batch yet. */
    void count(QueuedRequest<Q, A> request) {
        count(List.of(request), 1);
    }

    /** Batches of requests that were counted. */
    void add(List<List<QueuedRequest<Q, A>>> more) {
        batches.addAll(more);
    }

    /** Before all others, because these requests are older. */
    void putBack(List<List<QueuedRequest<Q, A>>> older) {
        for (int i = older.size() - 1; i >= 0; i--) {
            count(older.get(i), 1);
            batches.addFirst(older.get(i));
        }
    }

    void putLast(QueuedRequest<Q, A> request) {
        count(request);
        batches.addLast(List.of(request));
    }

    List<QueuedRequest<Q, A>> poll() {
        List<QueuedRequest<Q, A>> batch = batches.remove();
        count(batch, -1);
        return batch;
    }

    void fail(Throwable failure) {
        while (!batches.isEmpty()) {
            poll().forEach(request -> request.fail(failure));
        }
    }

    private void count(List<QueuedRequest<Q, A>> some, int sign) {
        requests += sign * some.size();
        metrics.waiting(sign * some.size());
        for (QueuedRequest<Q, A> request : some) {
            items += sign * request.items();
        }
    }
}
