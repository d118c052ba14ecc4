package io.queen.pop.ready;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A parked pop. It is woken once, on the event loop it came from; who wakes it first wins, so it may be parked in several
 * places.
 */
public final class Waiter {
    private final Executor loop;
    private final Runnable retry;
    private final AtomicBoolean gone = new AtomicBoolean();

    public Waiter(Executor loop, Runnable retry) {
        this.loop = loop;
        this.retry = retry;
    }

    /** False when somebody else woke or removed it before. */
    public boolean wake() {
        if (!leave()) {
            return false;
        }
        loop.execute(retry);
        return true;
    }

    /** Takes it out for good, without a retry. */
    public boolean leave() {
        return gone.compareAndSet(false, true);
    }

    public boolean isGone() {
        return gone.get();
    }
}
