package io.queen.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** A worker with a connection to the server, on whose event loop it lives. */
abstract class HttpWorker extends Worker {
    private final BenchServer server;
    private HttpConnection connection;
    private long answeredAt;

    HttpWorker(BenchServer server) {
        this.server = server;
    }

    @Override
    final void open() {
        connection = server.open();
    }

    @Override
    final void close() {
        connection.close();
    }

    @Override
    final void execute(Runnable task) {
        connection.loop().execute(task);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // an attempt that never comes is counted as one without an answer
    final void later(Runnable task, long nanos) {
        connection.loop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    final void send(byte[] request, Consumer<Answer> next) {
        connection.send(request, answer -> {
            answeredAt = System.nanoTime();
            next.accept(answer);
        });
    }

    /** When the last answer came, before anything of it was read. */
    final long answeredAt() {
        return answeredAt;
    }

    /** The last answer ends the attempt: with so many messages, if there is no problem with it. */
    final void finish(String problem, int messages) {
        finish(problem, messages, answeredAt);
    }

    /** Goes on if there is no problem. */
    final void check(String problem, Runnable next) {
        if (problem == null) {
            next.run();
        } else {
            failed(problem);
        }
    }

    /** Sends a pop of that group and goes on with what it found, which may be nothing. */
    final void receive(String group, byte[] pop, Consumer<Popped> next) {
        send(
                pop,
                answer -> check(answer.succeeded() ? null : answer.problem(), () -> {
                    Popped popped;
                    try {
                        popped = Popped.read(group, answer.body());
                    } catch (IOException e) {
                        failed(Answer.NOT_JSON);
                        return;
                    }
                    next.accept(popped);
                }));
    }

    /** Pops in the name of the group and goes on with the messages; without any the attempt is empty. */
    final void receive(ConsumerGroup group, Function<String, byte[]> pop, Consumer<Popped> next) {
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
}
