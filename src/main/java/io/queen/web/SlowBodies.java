package io.queen.web;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the bodies that arrive on one event loop, and only that loop touches it: one on which too little moves is
 * cut off. While memory is short it has a tenth of the time. A chain through the bodies themselves: every request with a
 * body enters and leaves it, and that costs no allocation.
 */
final class SlowBodies {
    /** What has to come in the time; a line that is slower than a modem's is taken for one that does not move. */
    private static final int LEAST_BYTES = 16 << 10;

    private static final int HURRY = 10;
    private static final long LONGEST_TICK_MILLIS = 1000;

    private final BodyMemory memory;
    private final long patience;
    private final long tickMillis;
    private Watched first;
    private boolean ticking;

    SlowBodies(BodyMemory memory, long patienceNanos) {
        this.memory = memory;
        this.patience = patienceNanos;
        this.tickMillis =
                Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(patienceNanos) / HURRY, LONGEST_TICK_MILLIS));
    }

    /** A body as the watch sees it. */
    abstract static class Watched {
        private Watched before;
        private Watched after;
        private long moved;
        private long movedAtLook;
        private long movingSince;

        /** So many bytes more have come, since it is watched. */
        final long moved(int bytes) {
            moved += bytes;
            return moved;
        }

        /** Too little moves; it is not watched any more. */
        abstract void tooSlow();
    }

    void add(Watched body, Vertx vertx) {
        body.movingSince = System.nanoTime();
        body.after = first;
        if (first != null) {
            first.before = body;
        }
        first = body;
        if (!ticking) {
            tickLater(vertx);
        }
    }

    void remove(Watched body) {
        if (body.before != null) {
            body.before.after = body.after;
        } else if (first == body) {
            first = body.after;
        }
        if (body.after != null) {
            body.after.before = body.before;
        }
        body.before = null;
        body.after = null;
    }

    private void tickLater(Vertx vertx) {
        ticking = true;
        vertx.setTimer(tickMillis, id -> tick(vertx));
    }

    private void tick(Vertx vertx) {
        ticking = false;
        long now = System.nanoTime();
        long allowed = memory.isShort() ? patience / HURRY : patience;
        for (Watched body = first; body != null; ) {
            Watched next = body.after;
            look(body, now, allowed);
            body = next;
        }
        if (first != null && !ticking) {
            tickLater(vertx);
        }
    }

    private void look(Watched body, long now, long allowed) {
        if (body.moved - body.movedAtLook >= LEAST_BYTES) {
            body.movedAtLook = body.moved;
            body.movingSince = now;
        } else if (now - body.movingSince > allowed) {
            remove(body);
            body.tooSlow();
        }
    }
}
