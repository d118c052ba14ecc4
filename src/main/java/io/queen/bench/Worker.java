package io.queen.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One connection of a scenario, which does the same thing over and over: it prepares an attempt, waits until that is due,
 * and runs it. An attempt ends with one of {@link #finish}, {@link #end}, {@link #empty} and {@link #failed}, called once.
 * One thread at a time: the event loop of its connection, unless the scenario asks something else than the server.
 */
final class Worker {
    /** After a failure: a server that is away would be asked in a tight loop. */
    private static final long PAUSE_NANOS = 100_000_000;

    private final HttpConnection connection;
    private final Consumer<Worker> preparation;
    private final Consumer<Worker> attempt;
    private Load load;
    private boolean scheduled;
    private boolean counted;
    private long start;
    private long answeredAt;

    Worker(BenchServer server, Consumer<Worker> attempt) {
        this(server, Worker::ready, attempt);
    }

    /**
     * @param preparation what must have happened before the attempt and is not measured; calls {@link #ready}, or ends the
     *     attempt
     * @param attempt what is measured
     */
    Worker(BenchServer server, Consumer<Worker> preparation, Consumer<Worker> attempt) {
        this.connection = server.open();
        this.preparation = preparation;
        this.attempt = attempt;
    }

    /**
     * Starts a round.
     *
     * @param asScheduled makes attempts when they are due, to the end; else at once, until the load is stopped
     */
    void begin(Load inRound, boolean asScheduled) {
        load = inRound;
        scheduled = asScheduled;
        counted = false;
        connection.loop().execute(this::next);
    }

    void close() {
        connection.close();
    }

    private void next() {
        if (hasEnded(System.nanoTime())) {
            load.busy.countDown();
        } else if (!load.stopped) {
            preparation.accept(this);
        }
    }

    /** However slow the server is, each connection has an attempt that counts. */
    private boolean hasEnded(long now) {
        return scheduled && counted && load.schedule.isOver(now);
    }

    void ready() {
        long now = System.nanoTime();
        long due = scheduled && !load.schedule.isOver(now) ? load.schedule.take(now) : now;
        if (hasEnded(due)) {
            load.busy.countDown();
        } else if (due - now > 0) {
            later(() -> go(due, true), due - now);
        } else {
            go(due, false);
        }
    }

    private void go(long due, boolean wasFree) {
        start = Schedule.countsFrom(due, wasFree, System.nanoTime());
        counted |= load.schedule.counts(start);
        attempt.accept(this);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // an attempt that never comes is counted as one without an answer
    private void later(Runnable task, long nanos) {
        connection.loop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    void send(byte[] request, Consumer<Answer> next) {
        connection.send(request, answer -> {
            answeredAt = System.nanoTime();
            next.accept(answer);
        });
    }

    /** When the last answer came, before anything of it was read. */
    long answeredAt() {
        return answeredAt;
    }

    /** Sends a pop of that group and goes on with what it found, which may be nothing. */
    void receive(String group, byte[] pop, Consumer<Popped> next) {
        send(pop, answer -> {
            try {
                Popped popped = answer.succeeded() ? Popped.read(group, answer.body()) : null;
                check(popped == null ? answer.problem() : null, () -> next.accept(popped));
            } catch (IOException e) {
                failed(Answer.NOT_JSON);
            }
        });
    }

    /** Pops in the name of the group and goes on with the messages; without any the attempt is empty. */
    void receive(ConsumerGroup group, Function<String, byte[]> pop, Consumer<Popped> next) {
        String name = group.name();
        receive(name, pop.apply(name), popped -> {
            group.found(name, !popped.isEmpty());
            if (popped.isEmpty()) {
                empty();
            } else {
                next.accept(popped);
            }
        });
    }

    /** Goes on if there is no problem. */
    void check(String problem, Runnable next) {
        if (problem == null) {
            next.run();
        } else {
            failed(problem);
        }
    }

    /** The last answer ends the attempt: with so many messages, if there is no problem. */
    void finish(String problem, int messages) {
        finish(problem, messages, answeredAt);
    }

    /** So many messages at that time end the attempt, if there is no problem. */
    void finish(String problem, int messages, long now) {
        check(problem, () -> {
            load.counts.record(start, messages, now - start);
            next();
        });
    }

    /** Counts without ending the attempt; {@code at} decides whether it falls into the time that is measured. */
    void record(long at, int messages, long nanos) {
        load.counts.record(at, messages, nanos);
    }

    /** Nothing to count. */
    void end() {
        next();
    }

    /** There was no message. */
    void empty() {
        load.counts.empty(start);
        next();
    }

    void failed(String reason) {
        load.counts.failed(reason, 1);
        later(this::next, PAUSE_NANOS);
    }
}
