package io.queen.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Pops of any partition of a filled queue, with an ack or without, by one group or several. When a group has consumed
 * everything its consumers go on as a new group, which gets all again: so the queue need not be as full as the run is
 * long.
 */
final class ConsumeScenario implements Scenario {
    static final int BATCH = 10;

    private final BenchServer server;
    private final boolean autoAck;
    private final FilledQueue queue;
    private final List<ConsumerGroup> groups;

    ConsumeScenario(BenchServer server, String name, int groups, boolean autoAck) {
        this.server = server;
        this.autoAck = autoAck;
        this.queue = FilledQueue.fill(server, name);
        this.groups = IntStream.range(0, groups)
                .mapToObj(i -> new ConsumerGroup("g" + i, server.settings().connections))
                .toList();
    }

    @Override
    public Round run() throws InterruptedException {
        int connections = Math.max(server.settings().connections, groups.size());
        return Load.run(
                server,
                IntStream.range(0, connections)
                        .mapToObj(i -> new Consumer(groups.get(i % groups.size())))
                        .toList());
    }

    private final class Consumer extends HttpWorker {
        private final ConsumerGroup group;

        Consumer(ConsumerGroup group) {
            super(server);
            this.group = group;
        }

        @Override
        void run() {
            String more = autoAck ? "&autoAck=true" : "";
            receive(group, name -> server.requests().pop(queue.name(), name, BATCH, more), this::received);
        }

        private void received(Popped popped) {
            if (autoAck) {
                finish(null, popped.size());
            } else {
                send(server.requests().ack(popped), answer -> finish(answer.ackProblem(popped.size()), popped.size()));
            }
        }
    }
}
