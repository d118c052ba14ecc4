package io.queen.pop.ready;

import io.vertx.core.Vertx;

/** The clock and the timers by which pops wait. */
public interface Timers {
    /** As {@link System#nanoTime}. */
    long nanos();

    /** Runs the task once after that time; gives what {@link #cancel} takes. */
    long after(long millis, Runnable task);

    void cancel(long timer);

    static Timers of(Vertx vertx) {
        return new Timers() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long after(long millis, Runnable task) {
                return vertx.setTimer(Math.max(1, millis), ignored -> task.run());
            }

            @Override
            public void cancel(long timer) {
                vertx.cancelTimer(timer);
            }
        };
    }
}
