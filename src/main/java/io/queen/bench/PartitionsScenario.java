package io.queen.bench;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/** A pop of any of so many partitions, all consumed but for the message that was just pushed to one of them. */
final class PartitionsScenario implements Scenario {
    private static final String GROUP = "consumers";
    private static final int DRAIN = 1000;

    private final BenchServer server;
    private final FilledQueue queue;

    PartitionsScenario(BenchServer server, int partitions) {
        this.server = server;
        this.queue = FilledQueue.fill(server, "partitions-" + partitions, partitions, 1);
        drain();
    }

    private void drain() {
        byte[] pop = server.requests().pop(queue.name(), GROUP, DRAIN, "&autoAck=true&partitions=" + DRAIN);
        try {
            Answer answer = server.ask(pop);
            while (answer.succeeded() && !Popped.read(GROUP, answer.body()).isEmpty()) {
                answer = server.ask(pop);
            }
            if (!answer.succeeded()) {
                throw new BenchException("Cannot empty the queue " + queue.name() + ": " + answer.problem());
            }
        } catch (IOException e) {
            throw new BenchException("The server answered something that is not JSON: " + e.getMessage());
        }
    }

    @Override
    public Round run() throws InterruptedException {
        return Load.run(server, server.perConnection(PushThenPop::new));
    }

    private final class PushThenPop extends HttpWorker {
        PushThenPop() {
            super(server);
        }

        @Override
        void prepare() {
            Requests requests = server.requests();
            int number = ThreadLocalRandom.current().nextInt(queue.partitions());
            send(
                    requests.push(1, i -> requests.message(queue.name(), number, number)),
                    answer -> check(answer.pushProblem(1), this::ready));
        }

        @Override
        void run() {
            receive(GROUP, server.requests().pop(queue.name(), GROUP, 1, "&autoAck=true"), popped -> {
                if (popped.isEmpty()) {
                    empty();
                } else {
                    finish(null, popped.size());
                }
            });
        }
    }
}
