package io.queen.web;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the bodies that arrive on one event loop, and only that loop touches it: one on which too little moves is
 * cut off. While room is short it has a tenth of the time. A chain through the bodies themselves, because every request
 * with a body enters and leaves it.
 */
final class ArrivalWatch {
    /** What has to come in the time; a line that is slower than a modem's is taken for one that does not move. */
    static final int LEAST_BYTES = 16 << 10;

    private static final int HURRY = 10;
    private static final long LONGEST_TICK_MILLIS = 1000;

    private final Intake intake;
    private final long patience;
    private final long tickMillis;
    private Arrival first;
    private boolean ticking;

    ArrivalWatch(Intake intake, long patienceNanos) {
        this.intake = intake;
        this.patience = patienceNanos;
        this.tickMillis =
                Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(patienceNanos) / HURRY, LONGEST_TICK_MILLIS));
    }

    void add(Arrival body, Vertx vertx) {
        body.after = first;
        if (first != null) {
            first.before = body;
        }
        first = body;
        if (!ticking) {
            tickLater(vertx);
        }
    }

    void remove(Arrival body) {
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
        long allowed = intake.pressed() ? patience / HURRY : patience;
        for (Arrival body = first; body != null; ) {
            Arrival next = body.after;
            body.look(now, allowed);
            body = next;
        }
        if (first != null && !ticking) {
            tickLater(vertx);
        }
    }
}
