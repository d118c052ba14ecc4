package io.queen.runtime;

import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/** An event loop that the test turns by hand, on its own thread, with a clock that it sets. */
public final class ManualLoop extends FakeTimers implements Loop {
    private final Thread thread = Thread.currentThread();
    private final BlockingDeque<Runnable> tasks = new LinkedBlockingDeque<>();

    @Override
    public void execute(Runnable task) {
        if (onLoop()) {
            task.run();
        } else {
            tasks.add(task);
        }
    }

    @Override
    public void later(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean onLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public Executor caller() {
        return tasks::add;
    }

    @Override
    public void turn() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Runs the next task. */
    public void runOne() {
        tasks.remove().run();
    }

    /** Waits until another thread has given something to the loop. */
    public void awaitArrival() {
        try {
            Runnable task = tasks.poll(30, TimeUnit.SECONDS);
            if (task == null) {
                throw new AssertionError("nothing came");
            }
            tasks.addFirst(task);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until another thread has given something to the loop, and runs it. */
    public void awaitTask() {
        awaitArrival();
        turn();
    }
}
