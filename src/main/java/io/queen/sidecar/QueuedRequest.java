package io.queen.sidecar;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * A request that waits for its answer. The answer is given on the context the request came from, so that the code of one
 * request never goes on in the context of another.
 *
 * @param arrived when it came, in nanoseconds
 * @param again it was sent on a connection that died, and may have been applied
 */
record QueuedRequest<Q, A>(
        Q request,
        int items,
        long bytes,
        Context caller,
        UniEmitter<? super A> emitter,
        long arrived,
        int attempts,
        boolean again) {

    static <Q, A> QueuedRequest<Q, A> of(Q request, BatchOperation<Q, A> work, UniEmitter<? super A> emitter) {
        return new QueuedRequest<>(
                request,
                work.items(request),
                work.bytes(request),
                Vertx.currentContext(),
                emitter,
                System.nanoTime(),
                0,
                false);
    }

    void answer(A answer) {
        caller.runOnContext(ignored -> emitter.complete(answer));
    }

    void fail(Throwable failure) {
        caller.runOnContext(ignored -> emitter.fail(failure));
    }

    QueuedRequest<Q, A> next(boolean maybeApplied) {
        return new QueuedRequest<>(
                request, items, bytes, caller, emitter, arrived, attempts + 1, again || maybeApplied);
    }
}
