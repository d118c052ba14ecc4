package io.queen.runtime;

import io.vertx.core.Vertx;

/** Runs something later. Tests have a clock of their own behind it. */
@FunctionalInterface
public interface Timers {
    /** The answer ends the wait, when it has not ended yet. */
    Runnable after(long millis, Runnable task);

    static Timers of(Vertx vertx) {
        return (millis, task) -> {
            long timer = vertx.setTimer(Math.max(1, millis), ignored -> task.run());
            return () -> vertx.cancelTimer(timer);
        };
    }
}
