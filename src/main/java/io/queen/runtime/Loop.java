package io.queen.runtime;

import java.util.concurrent.Executor;

/** An event loop with its timers and its clock: all that what lives on it knows of threads and time. */
public interface Loop extends Executor, Timers {

    /** At once when called on the loop, else in its next turn. */
    @Override
    void execute(Runnable task);

    /** After what the loop is doing now: requests that arrived together are all there by then. */
    void later(Runnable task);

    /** On the loop. */
    @Override
    Runnable after(long millis, Runnable task);

    /** Whether the calling thread is that of the loop. */
    boolean onLoop();

    /** Leads back to the context of the request that calls now, so that its code never goes on in that of another. */
    Executor caller();
}
