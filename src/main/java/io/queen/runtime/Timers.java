package io.queen.runtime;

import io.vertx.core.Vertx;

/** A clock, and what runs later by it. Tests have a time of their own behind it. */
@FunctionalInterface
public interface Timers {
    /** Runs the task once, after that time. The answer ends the wait, when it has not ended yet. */
    Runnable after(long millis, Runnable task);

    /** A clock that does not jump. */
    default long nanos() {
        return System.nanoTime();
    }

    static Timers of(Vertx vertx) {
        return (millis, task) -> {
            long timer = vertx.setTimer(Math.max(1, millis), ignored -> task.run());
            return () -> vertx.cancelTimer(timer);
        };
    }
}
