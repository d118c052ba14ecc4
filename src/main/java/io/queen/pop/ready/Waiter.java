package io.queen.pop.ready;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pop that waits. It is woken once, on the event loop it came from, and only the first to wake it does.
 */
public final class Waiter {
    private final Executor loop;
    private final Runnable retry;
    private final AtomicBoolean gone = new AtomicBoolean();

    public Waiter(Executor loop, Runnable retry) {
        this.loop = loop;
        this.retry = retry;
    }

    /** False when it was woken or had left before. */
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
