package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.Loop;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests of one operation in one sidecar: the whole way from {@link #submit} to a connection and back.
 *
 * <pre>
 *   submit ──▶ turn or window ──▶ ready ──▶ in flight ──▶ answered
 *                  by mode          ▲           │
 *                                   └── failed, sent again or halved
 * </pre>
 *
 * <p>Where a request goes depends on the {@link Mode} that it finds:
 *
 * <ul>
 *   <li>IDLE: no request waits and no batch is in flight. If a connection is free the request is the first of a turn, and
 *       the mode becomes COLLECTING. If none is, or batches are not sent eagerly, it opens the window: GATHERING.
 *   <li>COLLECTING: requests join the turn, so that those which the loop reads together travel together. At the end of the
 *       turn of the loop they are cut into batches, which are ready: GATHERING.
 *   <li>GATHERING: batches are ready or in flight. Requests gather in the window, because several small batches cost
 *       PostgreSQL far more than one. What has gathered leaves when no batch is in flight any more, when it is worth
 *       another connection, and at the end of the window, so that a batch that takes long delays no other request. When
 *       the last batch is back and no request waits: IDLE.
 * </ul>
 *
 * <p>Batches are bounded by items and bytes, and leave in order; {@link Dispatcher} says when. {@link BatchRecovery}
 * says what becomes of one that fails. Requests for something that another transaction holds wait in
 * {@link LockWaiters}, outside of all this, until they can be put back.
 *
 * <p>Touched by its own event loop only.
 */
final class BatchQueue<Q, A> {

    /** What becomes of the next request. */
    private enum Mode {
        IDLE,
        COLLECTING,
        GATHERING
    }

    /** A batch in flight. */
    record Sent<Q, A>(Slot slot, Connection connection, List<QueuedRequest<Q, A>> batch, long at) {}

    private final BatchOperation<Q, A> operation;
    private final BatchLimits limits;
    private final OperationMetrics metrics;
    private final Loop loop;
    private final LockWaiters<Q, A> lockWaiters;
    private final BatchRecovery<Q, A> recovery;
    private final BatchWindow<QueuedRequest<Q, A>> window;
    private final WaitingBatches<Q, A> waiting;
    private List<QueuedRequest<Q, A>> turn = new ArrayList<>();
    private Dispatcher dispatcher;
    private int inFlight;

    BatchQueue(
            BatchOperation<Q, A> operation, BatchLimits limits, OperationMetrics metrics, Loop loop, LockWatch watch) {
        this.operation = operation;
        this.limits = limits;
        this.metrics = metrics;
        this.loop = loop;
        this.window = new BatchWindow<>(limits.maxItems(), limits.window(), loop, this::endWindow);
        this.waiting = new WaitingBatches<>(metrics);
        this.lockWaiters =
                new LockWaiters<>(operation, limits, watch, metrics, freed -> waiting.putBack(limits.cut(freed)));
        this.recovery = new BatchRecovery<>(this, waiting, operation, metrics, lockWaiters);
    }

    void attach(Dispatcher owner) {
        dispatcher = owner;
    }

    /** The answer comes on the context of the caller. */
    Uni<A> submit(Q request) {
        return Uni.createFrom()
                .emitter(emitter -> accept(QueuedRequest.of(request, operation, loop, metrics.span(), emitter)));
    }

    private void accept(QueuedRequest<Q, A> request) {
        assert loop.onLoop();
        if (dispatcher.unavailable() != null) {
            request.fail(dispatcher.unavailable());
        } else if (lockWaiters.take(request)) {
            return;
        } else if (waiting.requests() >= limits.maxWaiting()) {
            metrics.refused();
            request.fail(new QueenException(ErrorCode.OVERLOADED, "Too many requests are waiting, try again soon"));
        } else {
            waiting.count(request);
            place(request);
        }
    }

    private Mode mode() {
        if (!turn.isEmpty()) {
            return Mode.COLLECTING;
        }
        return inFlight == 0 && waiting.isEmpty() && window.isEmpty() ? Mode.IDLE : Mode.GATHERING;
    }

    private void place(QueuedRequest<Q, A> request) {
        switch (mode()) {
            case IDLE -> {
                if (limits.eager() && dispatcher.hasFreeSlot()) {
                    turn.add(request);
                    loop.later(this::endTurn);
                } else {
                    gather(request);
                }
            }
            case COLLECTING -> turn.add(request);
            case GATHERING -> gather(request);
        }
    }

    private void gather(QueuedRequest<Q, A> request) {
        window.add(request);
        if (limits.eager() && limits.worthAnotherConnection(waiting.items())) {
            dispatcher.run();
        }
    }

    private void endTurn() {
        List<QueuedRequest<Q, A>> collected = turn;
        turn = new ArrayList<>();
        makeReady(collected);
    }

    private void endWindow() {
        makeReady(window.take());
    }

    private void makeReady(List<QueuedRequest<Q, A>> requests) {
        waiting.add(limits.cut(requests));
        dispatcher.run();
    }

    /** Whether it could use a connection now. */
    boolean canSend() {
        return inFlight < limits.maxInFlight() && (!waiting.isEmpty() || windowMayEnd());
    }

    private boolean windowMayEnd() {
        return limits.eager() && !window.isEmpty() && (inFlight == 0 || limits.worthAnotherConnection(waiting.items()));
    }

    /** Sends the next batch; only when it {@link #canSend}. */
    void send(Slot slot) {
        List<QueuedRequest<Q, A>> batch = lockWaiters.takeFrom(nextBatch());
        if (batch.isEmpty()) {
            slot.release();
            return;
        }
        inFlight++;
        metrics.sent(batch.size());
        Sent<Q, A> sent = new Sent<>(slot, slot.connection(), batch, loop.nanos());
        run(sent).subscribe().with(answers -> succeeded(sent, answers), failure -> recovery.recover(sent, failure));
    }

    private List<QueuedRequest<Q, A>> nextBatch() {
        if (waiting.isEmpty()) {
            waiting.add(limits.cut(window.take()));
        }
        return waiting.poll();
    }

    private Uni<List<A>> run(Sent<Q, A> sent) {
        List<Q> requests = sent.batch().stream().map(QueuedRequest::request).toList();
        boolean again = sent.batch().stream().anyMatch(QueuedRequest::maybeApplied);
        Uni<List<A>> call = Uni.createFrom().deferred(() -> operation.run(sent.connection(), requests, again));
        return metrics.traced(sent.batch(), call);
    }

    private void succeeded(Sent<Q, A> sent, List<A> answers) {
        int items = 0;
        for (int i = 0; i < sent.batch().size(); i++) {
            QueuedRequest<Q, A> request = sent.batch().get(i);
            items += operation.items(request.request(), answers.get(i));
            request.answer(answers.get(i));
        }
        returned(sent, items);
        dispatch();
    }

    void dispatch() {
        dispatcher.run();
    }

    /** The connection is free again. */
    void returned(Sent<Q, A> sent, int items) {
        assert loop.onLoop();
        inFlight--;
        metrics.returned(sent.batch().size(), items, loop.nanos() - sent.at());
        sent.slot().release();
    }

    /** PostgreSQL is away: all that wait are told now, but for those of this turn, which are told at its end. */
    void failWaiting(Throwable failure) {
        lockWaiters.fail(failure);
        waiting.add(List.of(window.take()));
        waiting.fail(failure);
    }
}
