package io.queen.sidecar;

import io.queen.runtime.Loop;
import io.queen.tracing.RequestSpan;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.concurrent.Executor;

/**
 * A request on its way, with the caller that waits for its answer.
 *
 * @param arrived when it came, in nanoseconds
 * @param caller where the answer is given
 * @param span of the HTTP request that it is part of
 * @param attempts how often it was sent and not done
 * @param maybeApplied whether it was sent on a connection that died
 */
record QueuedRequest<Q, A>(
        Q request,
        int items,
        long bytes,
        long arrived,
        Executor caller,
        RequestSpan span,
        UniEmitter<? super A> emitter,
        int attempts,
        boolean maybeApplied) {

    /** One that has just come. */
    static <Q, A> QueuedRequest<Q, A> of(
            Q request, BatchOperation<Q, A> operation, Loop loop, RequestSpan span, UniEmitter<? super A> emitter) {
        return new QueuedRequest<>(
                request,
                operation.items(request),
                operation.bytes(request),
                loop.nanos(),
                loop.caller(),
                span,
                emitter,
                0,
                false);
    }

    void answer(A answer) {
        caller.execute(() -> emitter.complete(answer));
    }

    void fail(Throwable failure) {
        caller.execute(() -> emitter.fail(failure));
    }

    QueuedRequest<Q, A> again(boolean connectionDied) {
        return new QueuedRequest<>(
                request, items, bytes, arrived, caller, span, emitter, attempts + 1, maybeApplied || connectionDied);
    }
}
