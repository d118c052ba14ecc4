package io.queen.bench;

import java.util.List;
import java.util.stream.IntStream;

/** Pops of named partitions: each connection has its own and takes them in turn. What it got it acks before the next. */
final class PopScenario implements Scenario {
    private final BenchServer server;
    private final FilledQueue queue;
    private final List<Consumer> consumers;

    PopScenario(BenchServer server) {
        this.server = server;
        this.queue = FilledQueue.fill(server, "pop");
        int connections = Math.min(server.settings().connections, queue.partitions());
        this.consumers = IntStream.range(0, connections)
                .mapToObj(i -> new Consumer(i, connections))
                .toList();
    }

    @Override
    public Round run() throws InterruptedException {
        return Load.run(server, consumers);
    }

    /** Of the partitions {@code first}, {@code first + step} … */
    private final class Consumer extends HttpWorker {
        private final int first;
        private final int step;
        private final ConsumerGroup group;
        private int partition;
        private Popped held;

        Consumer(int first, int step) {
            super(server);
            this.first = first;
            this.step = step;
            this.partition = first;
            this.group = new ConsumerGroup("c" + first, (queue.partitions() - first + step - 1) / step);
        }

        @Override
        void prepare() {
            if (held == null) {
                ready();
                return;
            }
            Popped acked = held;
            held = null;
            send(server.requests().ack(acked), answer -> check(answer.ackProblem(acked.size()), this::ready));
        }

        @Override
        void run() {
            int from = partition;
            partition = from + step < queue.partitions() ? from + step : first;
            receive(
                    group,
                    name -> server.requests().popPartition(queue.name(), from, name, ConsumeScenario.BATCH),
                    popped -> {
                        held = popped;
                        finish(null, popped.size());
                    });
        }
    }
}
