package io.queen.sidecar;

import io.queen.database.DatabaseFailure;
import io.queen.sidecar.BatchQueue.Sent;
import java.util.List;

/**
 * What becomes of a batch whose call failed, as {@link BatchFailureDecision} says: it comes back before all others, whole or
 * halved, its requests wait aside for what another transaction holds, or their callers are told. Touched by its own event
 * loop only.
 */
final class BatchRecovery<Q, A> {
    private final BatchQueue<Q, A> queue;
    private final WaitingBatches<Q, A> waiting;
    private final BatchOperation<Q, A> operation;
    private final OperationMetrics metrics;
    private final LockWaiters<Q, A> lockWaiters;

    BatchRecovery(
            BatchQueue<Q, A> queue,
            WaitingBatches<Q, A> waiting,
            BatchOperation<Q, A> operation,
            OperationMetrics metrics,
            LockWaiters<Q, A> lockWaiters) {
        this.queue = queue;
        this.waiting = waiting;
        this.operation = operation;
        this.metrics = metrics;
        this.lockWaiters = lockWaiters;
    }

    void recover(Sent<Q, A> sent, Throwable failure) {
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
        queue.returned(sent, 0);
        metrics.failed(failure);
        apply(decision, batch, failure);
        queue.dispatch();
    }

    /** The requests that need what is held have been set aside; the free ones go on. */
    private void lockSought(Sent<Q, A> sent, List<QueuedRequest<Q, A>> free, Throwable failure) {
        queue.returned(sent, 0);
        if (free.size() == sent.batch().size()) {
            BatchFailureDecision decision =
                    BatchFailureDecision.ofUnknownLock(free.size(), lockWaiters.mayWait(free.get(0)));
            if (decision == BatchFailureDecision.FAIL) {
                metrics.failed(failure);
            }
            apply(decision, free, failure);
        } else if (!free.isEmpty()) {
            waiting.putBack(List.of(free));
        }
        queue.dispatch();
    }

    private void apply(BatchFailureDecision decision, List<QueuedRequest<Q, A>> batch, Throwable failure) {
        switch (decision) {
            case RESEND -> putBack(batch, true);
            case RETRY -> putBack(batch, false);
            case SPLIT -> {
                int half = batch.size() / 2;
                waiting.putBack(List.of(batch.subList(0, half), batch.subList(half, batch.size())));
            }
            case WAIT_FOR_LOCK -> waitForUnknownLock(batch.get(0));
            case FAIL -> {
                Throwable told = DatabaseFailure.translate(failure);
                batch.forEach(request -> request.fail(told));
            }
        }
    }

    private void putBack(List<QueuedRequest<Q, A>> batch, boolean connectionDied) {
        waiting.putBack(List.of(
                batch.stream().map(request -> request.again(connectionDied)).toList()));
    }

    /** Which lock it is can't be told: the request goes behind all others, unless there is an answer for now. */
    private void waitForUnknownLock(QueuedRequest<Q, A> request) {
        operation.whileLocked(request.request()).ifPresentOrElse(request::answer, () -> waiting.putLast(request));
    }
}
