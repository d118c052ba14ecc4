package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.Loop;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 * <p>Batches are bounded by items and bytes, and leave in order; {@link Dispatcher} says when. A batch that fails comes back
 * before all others, as {@link BatchFailureDecision} says. Requests for something that another transaction holds wait in
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
    private record Sent<Q, A>(Slot slot, Connection connection, List<QueuedRequest<Q, A>> batch, long at) {}

    private final BatchOperation<Q, A> operation;
    private final BatchLimits limits;
    private final OperationMetrics metrics;
    private final Loop loop;
    private final LockWaiters<Q, A> lockWaiters;
    private final BatchWindow<QueuedRequest<Q, A>> window;
    private final Deque<List<QueuedRequest<Q, A>>> ready = new ArrayDeque<>();
    private List<QueuedRequest<Q, A>> turn = new ArrayList<>();
    private Dispatcher dispatcher;
    private int waiting;
    private int waitingItems;
    private int inFlight;
    private int passedOver;

    BatchQueue(
            BatchOperation<Q, A> operation, BatchLimits limits, OperationMetrics metrics, Loop loop, LockWatch watch) {
        this.operation = operation;
        this.limits = limits;
        this.metrics = metrics;
        this.loop = loop;
        this.window = new BatchWindow<>(limits.maxItems(), limits.window(), loop, this::endWindow);
        this.lockWaiters = new LockWaiters<>(operation, limits, watch, metrics, this::putBackFreed);
    }

    void attach(Dispatcher owner) {
        dispatcher = owner;
    }

    /** The answer comes on the context of the caller. */
    Uni<A> submit(Q request) {
        return Uni.createFrom()
                .emitter(emitter -> accept(new QueuedRequest<>(
                        request,
                        operation.items(request),
                        operation.bytes(request),
                        loop.nanos(),
                        loop.caller(),
                        emitter,
                        0,
                        false)));
    }

    private void accept(QueuedRequest<Q, A> request) {
        assert loop.onLoop();
        if (dispatcher.unavailable() != null) {
            request.fail(dispatcher.unavailable());
        } else if (lockWaiters.take(request)) {
            return;
        } else if (waiting >= limits.maxWaiting()) {
            metrics.refused();
            request.fail(new QueenException(ErrorCode.OVERLOADED, "Too many requests are waiting, try again soon"));
        } else {
            countWaiting(1, request.items());
            place(request);
        }
    }

    private Mode mode() {
        if (!turn.isEmpty()) {
            return Mode.COLLECTING;
        }
        return inFlight == 0 && ready.isEmpty() && window.isEmpty() ? Mode.IDLE : Mode.GATHERING;
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
        if (limits.eager() && limits.worthAnotherConnection(waitingItems)) {
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
        ready.addAll(limits.cut(requests));
        dispatcher.run();
    }

    /** Whether it could use a connection now. */
    boolean canSend() {
        return inFlight < limits.maxInFlight() && (!ready.isEmpty() || windowMayEnd());
    }

    private boolean windowMayEnd() {
        return limits.eager() && !window.isEmpty() && (inFlight == 0 || limits.worthAnotherConnection(waitingItems));
    }

    /** How often others went first although it could have used the connection. */
    int passedOver() {
        return passedOver;
    }

    void passOver() {
        passedOver++;
    }

    /** Sends the next batch; only when it {@link #canSend}. */
    void send(Slot slot) {
        passedOver = 0;
        List<QueuedRequest<Q, A>> batch = lockWaiters.takeFrom(nextBatch());
        if (batch.isEmpty()) {
            slot.release();
            return;
        }
        inFlight++;
        metrics.sent(batch.size());
        Sent<Q, A> sent = new Sent<>(slot, slot.connection(), batch, loop.nanos());
        run(sent).subscribe().with(answers -> succeeded(sent, answers), failure -> failed(sent, failure));
    }

    private List<QueuedRequest<Q, A>> nextBatch() {
        if (ready.isEmpty()) {
            ready.addAll(limits.cut(window.take()));
        }
        List<QueuedRequest<Q, A>> batch = ready.poll();
        countWaiting(-batch.size(), -items(batch));
        return batch;
    }

    private Uni<List<A>> run(Sent<Q, A> sent) {
        List<Q> requests = new ArrayList<>(sent.batch().size());
        boolean again = false;
        for (QueuedRequest<Q, A> request : sent.batch()) {
            requests.add(request.request());
            again |= request.maybeApplied();
        }
        boolean maybeApplied = again;
        return Uni.createFrom().deferred(() -> operation.run(sent.connection(), requests, maybeApplied));
    }

    private void succeeded(Sent<Q, A> sent, List<A> answers) {
        int items = 0;
        for (int i = 0; i < sent.batch().size(); i++) {
            QueuedRequest<Q, A> request = sent.batch().get(i);
            items += operation.items(request.request(), answers.get(i));
            request.answer(answers.get(i));
        }
        returned(sent, items);
        dispatcher.run();
    }

    private void returned(Sent<Q, A> sent, int items) {
        assert loop.onLoop();
        inFlight--;
        metrics.returned(sent.batch().size(), items, loop.nanos() - sent.at());
        sent.slot().release();
    }

    private void failed(Sent<Q, A> sent, Throwable failure) {
        if (DatabaseFailure.isConnectionLoss(failure)) {
            sent.slot().abandon(sent.connection());
        }
        List<QueuedRequest<Q, A>> batch = sent.batch();
        BatchFailureDecision decision =
                BatchFailureDecision.of(failure, batch.size(), batch.get(0).attempts());
        if (decision == BatchFailureDecision.WAIT_FOR_LOCK) {
            lockWaiters.findHeld(sent.connection(), batch, free -> lockSought(sent, free, failure));
            return;
        }
        returned(sent, 0);
        metrics.failed(failure);
        recover(decision, batch, failure);
        dispatcher.run();
    }

    /** The requests that need what is held have been set aside; the free ones go on. */
    private void lockSought(Sent<Q, A> sent, List<QueuedRequest<Q, A>> free, Throwable failure) {
        returned(sent, 0);
        if (free.size() == sent.batch().size()) {
            BatchFailureDecision decision =
                    BatchFailureDecision.ofUnknownLock(free.size(), lockWaiters.mayWait(free.get(0)));
            if (decision == BatchFailureDecision.FAIL) {
                metrics.failed(failure);
            }
            recover(decision, free, failure);
        } else if (!free.isEmpty()) {
            putBack(free);
        }
        dispatcher.run();
    }

    private void recover(BatchFailureDecision decision, List<QueuedRequest<Q, A>> batch, Throwable failure) {
        switch (decision) {
            case RESEND ->
                putBack(batch.stream().map(request -> request.again(true)).toList());
            case RETRY ->
                putBack(batch.stream().map(request -> request.again(false)).toList());
            case SPLIT -> {
                int half = batch.size() / 2;
                putBack(batch.subList(half, batch.size()));
                putBack(batch.subList(0, half));
            }
            case WAIT_FOR_LOCK -> waitForUnknownLock(batch.get(0));
            case FAIL -> {
                Throwable told = DatabaseFailure.translate(failure);
                batch.forEach(request -> request.fail(told));
            }
        }
    }

    /** Which lock it is can't be told: the request goes behind all others, unless there is an answer for now. */
    private void waitForUnknownLock(QueuedRequest<Q, A> request) {
        operation.whileLocked(request.request()).ifPresentOrElse(request::answer, () -> {
            countWaiting(1, request.items());
            ready.addLast(List.of(request));
        });
    }

    /** Before all others, because these requests are older. */
    private void putBack(List<QueuedRequest<Q, A>> batch) {
        countWaiting(batch.size(), items(batch));
        ready.addFirst(batch);
    }

    private void putBackFreed(List<QueuedRequest<Q, A>> requests) {
        List<List<QueuedRequest<Q, A>>> batches = limits.cut(requests);
        for (int i = batches.size() - 1; i >= 0; i--) {
            putBack(batches.get(i));
        }
    }

    /** PostgreSQL is away: all that wait are told now, but for those of this turn, which are told at its end. */
    void failWaiting(Throwable failure) {
        lockWaiters.fail(failure);
        ready.add(window.take());
        for (List<QueuedRequest<Q, A>> batch : ready) {
            countWaiting(-batch.size(), -items(batch));
            batch.forEach(request -> request.fail(failure));
        }
        ready.clear();
    }

    private void countWaiting(int requests, int items) {
        waiting += requests;
        waitingItems += items;
        metrics.waiting(requests);
    }

    private static int items(List<? extends QueuedRequest<?, ?>> batch) {
        int items = 0;
        for (QueuedRequest<?, ?> request : batch) {
            items += request.items();
        }
        return items;
    }
}
