package io.queen.bench;

import java.util.concurrent.ThreadLocalRandom;

/** Messages processed so that none is lost or doubled: taken, then in one transaction acknowledged and others pushed. */
final class TransactionScenario implements Scenario {
    private final BenchServer server;
    private final FilledQueue queue;
    private final String results;
    private final ConsumerGroup group;

    TransactionScenario(BenchServer server) {
        this.server = server;
        this.queue = FilledQueue.fill(server, "transaction");
        this.results = server.newQueue("results");
        this.group = new ConsumerGroup("workers", server.settings().connections);
    }

    @Override
    public Round run() throws InterruptedException {
        return Load.run(server, server.perConnection(Processor::new));
    }

    private final class Processor extends HttpWorker {
        private Popped held;

        Processor() {
            super(server);
        }

        @Override
        void prepare() {
            receive(group, name -> server.requests().pop(queue.name(), name, ConsumeScenario.BATCH, ""), popped -> {
                held = popped;
                ready();
            });
        }

        @Override
        void run() {
            int messages = held.size();
            send(
                    server.requests().transaction(held, i -> result()),
                    answer -> finish(answer.transactionProblem(), messages));
        }

        private String result() {
            int number = ThreadLocalRandom.current().nextInt(queue.partitions());
            return server.requests().message(results, number, number);
        }
    }
}
