package io.queen.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a scenario, which does the same thing over and over: it prepares an attempt, waits until that is due,
 * and runs it. An attempt ends with one of {@link #finish}, {@link #end}, {@link #empty} and {@link #failed}, called once.
 * One thread at a time.
 */
abstract class Worker {
    /** After a failure: a server that is away would be asked in a tight loop. */
    private static final long PAUSE_NANOS = 100_000_000;

    private Load load;
    private boolean scheduled;
    private boolean counted;
    private long start;

    /** What must have happened before the attempt and is not measured; then calls {@link #ready}, or ends the attempt. */
    void prepare() {
        ready();
    }

    /** What is measured. */
    abstract void run();

    /** Starts a round. */
    final void begin(Load inRound, boolean asScheduled) {
        load = inRound;
        scheduled = asScheduled;
        counted = false;
        open();
        execute(this::next);
    }

    /** Before a round. */
    void open() {}

    /** After a round, from any thread. */
    void close() {}

    /** Runs the task where this worker lives. */
    void execute(Runnable task) {
        task.run();
    }

    void later(Runnable task, long nanos) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, this::execute)
                .execute(task);
    }

    private void next() {
        if (hasEnded(System.nanoTime())) {
            load.workerEnded();
        } else if (!load.isStopped()) {
            prepare();
        }
    }

    /** However slow the server is, each connection has an attempt that counts. */
    private boolean hasEnded(long now) {
        return scheduled && counted && load.time().isOver(now);
    }

    final void ready() {
        long now = System.nanoTime();
        long due = scheduled && !load.time().isOver(now) ? load.schedule().take(now) : now;
        if (hasEnded(due)) {
            load.workerEnded();
        } else if (due - now > 0) {
            later(() -> go(due, true), due - now);
        } else {
            go(due, false);
        }
    }

    private void go(long due, boolean wasFree) {
        start = Schedule.countsFrom(due, wasFree, System.nanoTime());
        counted |= load.time().counts(start);
        run();
    }

    /** So many messages were there at that time, if there was no problem. */
    final void finish(String problem, int messages, long now) {
        if (problem == null) {
            record(start, messages, now - start);
            end();
        } else {
            failed(problem);
        }
    }

    /** Counts without ending the attempt; {@code at} decides whether it falls into the time that is measured. */
    final void record(long at, int messages, long nanos) {
        load.counts().record(at, messages, nanos);
    }

    /** Nothing to count. */
    final void end() {
        next();
    }

    /** There was no message. */
    final void empty() {
        load.counts().empty(start);
        next();
    }

    final void failed(String reason) {
        load.counts().failed(reason);
        later(this::next, PAUSE_NANOS);
    }
}
