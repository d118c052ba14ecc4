package io.queen.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Pops of named partitions: each connection has its own and takes them in turn. What it got it acks before the next. */
final class PopScenario implements Scenario {
    private final Site site;
    private final Stock stock;
    private final List<Consumer> lanes;

    PopScenario(Site site) {
        Settings settings = site.settings();
        this.site = site;
        this.stock = Stock.fill(site, "pop", settings.partitionsOrDefault(), settings.stock());
        int connections = Math.min(settings.connections(), stock.partitions());
        this.lanes = IntStream.range(0, connections)
                .mapToObj(i -> new Consumer(i, connections))
                .toList();
    }

    @Override
    public Round run() throws InterruptedException {
        return Load.run(site, site.settings().rate(), List.copyOf(lanes), List.of(), Load.Settled.AT_ONCE);
    }

    /** The partitions {@code first}, {@code first + step} … of one connection. */
    private final class Consumer implements Lane {
        private final int first;
        private final int step;
        private final Group group;
        private int partition;
        private Popped held = new Popped(List.of());
        private String heldBy;

        Consumer(int first, int step) {
            this.first = first;
            this.step = step;
            this.partition = first;
            this.group = new Group("c" + first, (stock.partitions() - first + step - 1) / step);
        }

        @Override
        public void prepare(Wire wire, Turn turn, Runnable ready) {
            if (held.isEmpty()) {
                ready.run();
                return;
            }
            Popped acked = held;
            held = new Popped(List.of());
            wire.send(site.requests().ack(acked, heldBy), answer -> {
                String problem = Outcomes.ofAck(answer, acked.size());
                if (problem == null) {
                    ready.run();
                } else {
                    turn.failed(problem);
                }
            });
        }

        @Override
        public void run(Wire wire, Turn turn) {
            String name = group.name();
            byte[] request =
                    site.requests().pop(stock.queue(), Stock.partition(partition), name, ConsumeScenario.BATCH, "");
            partition = partition + step < stock.partitions() ? partition + step : first;
            wire.send(request, answer -> popped(turn, name, answer));
        }

        private void popped(Turn turn, String name, Answer answer) {
            long now = System.nanoTime();
            if (!answer.succeeded()) {
                turn.failed(answer.problem());
                return;
            }
            try {
                held = Popped.read(answer.body());
                heldBy = name;
                group.found(name, !held.isEmpty());
                if (held.isEmpty()) {
                    turn.empty();
                } else {
                    turn.finish(null, held.size(), now);
                }
            } catch (IOException e) {
                turn.failed("an answer that is not JSON");
            }
        }
    }
}
