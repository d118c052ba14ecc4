package io.queen.sidecar;

import io.queen.runtime.Loop;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/** An event loop that the test turns by hand, on its own thread, with a clock that it sets. */
final class ManualLoop implements Loop {
    private final Thread thread = Thread.currentThread();
    private final BlockingDeque<Runnable> tasks = new LinkedBlockingDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingInt(Timer::number));
    private long nanos = 1;
    private int number;

    private record Timer(long at, int number, Runnable task) {}

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
    public void after(long millis, Runnable task) {
        timers.add(new Timer(nanos + TimeUnit.MILLISECONDS.toNanos(millis), number++, task));
    }

    @Override
    public boolean onLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Executor caller() {
        return tasks::add;
    }

    /** Runs all that is to be done now. */
    void turn() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Runs the next task. */
    void runOne() {
        tasks.remove().run();
    }

    /** Waits until another thread has given something to the loop. */
    void awaitArrival() {
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
    void awaitTask() {
        awaitArrival();
        turn();
    }

    /** Lets time pass, with all that is due meanwhile. */
    void pass(long millis) {
        turn();
        long end = nanos + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!timers.isEmpty() && timers.peek().at() <= end) {
            nanos = timers.peek().at();
            timers.poll().task().run();
            turn();
        }
        nanos = end;
    }
}
