package io.queen.sidecar;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * A request that waits for its answer. The answer is given on the context the request came from, so that the code of one
 * request never goes on in the context of another.
 *
 * @param again it was sent on a connection that died, and may have been applied
 */
record Pending<Q, A>(
        Q request, int items, long bytes, Context caller, UniEmitter<? super A> emitter, int attempts, boolean again) {

    static <Q, A> Pending<Q, A> of(Q request, Work<Q, A> work, UniEmitter<? super A> emitter) {
        return new Pending<>(
                request, work.items(request), work.bytes(request), Vertx.currentContext(), emitter, 0, false);
    }

    void answer(A answer) {
        caller.runOnContext(ignored -> emitter.complete(answer));
    }

    void fail(Throwable failure) {
        caller.runOnContext(ignored -> emitter.fail(failure));
    }

    Pending<Q, A> next(boolean maybeApplied) {
        return new Pending<>(request, items, bytes, caller, emitter, attempts + 1, again || maybeApplied);
    }
}
