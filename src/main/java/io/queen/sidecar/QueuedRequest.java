package io.queen.sidecar;

import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.concurrent.Executor;

/** A request on its way, with the caller that waits for its answer. */
final class QueuedRequest<Q, A> {
    private final Q request;
    private final int items;
    private final long bytes;
    private final long arrived;
    private final Executor caller;
    private final UniEmitter<? super A> emitter;
    private int attempts;
    private boolean maybeApplied;

    /**
     * @param arrived when it came, in nanoseconds
     * @param caller where the answer is given
     */
    QueuedRequest(Q request, int items, long bytes, long arrived, Executor caller, UniEmitter<? super A> emitter) {
        this.request = request;
        this.items = items;
        this.bytes = bytes;
        this.arrived = arrived;
        this.caller = caller;
        this.emitter = emitter;
    }

    Q request() {
        return request;
    }

    int items() {
        return items;
    }

    long bytes() {
        return bytes;
    }

    long arrived() {
        return arrived;
    }

    /** How often it was sent and PostgreSQL did not do it. */
    int attempts() {
        return attempts;
    }

    /** Whether it was sent on a connection that died. */
    boolean maybeApplied() {
        return maybeApplied;
    }

    void sentInVain(boolean connectionDied) {
        attempts++;
        maybeApplied |= connectionDied;
    }

    void answer(A answer) {
        caller.execute(() -> emitter.complete(answer));
    }

    void fail(Throwable failure) {
        caller.execute(() -> emitter.fail(failure));
    }
}
