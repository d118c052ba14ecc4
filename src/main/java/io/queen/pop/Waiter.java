package io.queen.pop;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A parked pop. It is woken once, on the event loop it came from; who wakes it first wins, so it may be parked in several
 * places.
 */
final class Waiter {
    private final Executor loop;
    private final Runnable retry;
    private final AtomicBoolean gone = new AtomicBoolean();

    Waiter(Executor loop, Runnable retry) {
        this.loop = loop;
        this.retry = retry;
    }

    /** False when somebody else woke or removed it before. */
    boolean wake() {
        if (!leave()) {
            return false;
        }
        loop.execute(retry);
        return true;
    }

    /** Takes it out for good, without a retry. */
    boolean leave() {
        return gone.compareAndSet(false, true);
    }

    boolean isGone() {
        return gone.get();
    }
}
