package io.queen.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pops of any partition of a filled queue, with an ack or without, by one group or several. When a group has consumed
 * everything its consumers go on as a new group, which gets all again: so the stock need not be as large as the run is
 * long.
 */
final class ConsumeScenario implements Scenario {
    static final int BATCH = 10;

    private final Site site;
    private final boolean autoAck;
    private final Stock stock;
    private final List<Group> groups;

    ConsumeScenario(Site site, String stem, int groups, boolean autoAck) {
        Settings settings = site.settings();
        this.site = site;
        this.autoAck = autoAck;
        this.stock = Stock.fill(site, stem, settings.partitionsOrDefault(), settings.stock());
        this.groups = IntStream.range(0, groups)
                .mapToObj(i -> new Group("g" + i, settings.connections()))
                .toList();
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        int connections = Math.max(settings.connections(), groups.size());
        List<Lane> lanes = IntStream.range(0, connections)
                .mapToObj(i -> (Lane) new Consumer(groups.get(i % groups.size())))
                .toList();
        return Load.run(site, settings.rate(), lanes, List.of(), Load.Settled.AT_ONCE);
    }

    /** One connection, in its group. */
    private final class Consumer implements Lane {
        private final Group group;

        Consumer(Group group) {
            this.group = group;
        }

        @Override
        public void run(Wire wire, Turn turn) {
            String name = group.name();
            String more = autoAck ? "&autoAck=true" : "";
            wire.send(
                    site.requests().pop(stock.queue(), null, name, BATCH, more),
                    answer -> popped(wire, turn, name, answer));
        }

        private void popped(Wire wire, Turn turn, String name, Answer answer) {
            long now = System.nanoTime();
            if (!answer.succeeded()) {
                turn.failed(answer.problem());
                return;
            }
            try {
                Popped popped = Popped.read(answer.body());
                group.found(name, !popped.isEmpty());
                if (popped.isEmpty()) {
                    turn.empty();
                } else if (autoAck) {
                    turn.finish(null, popped.size(), now);
                } else {
                    ack(wire, turn, name, popped);
                }
            } catch (IOException e) {
                turn.failed("an answer that is not JSON");
            }
        }

        private void ack(Wire wire, Turn turn, String name, Popped popped) {
            wire.send(site.requests().ack(popped, name), answer -> {
                long now = System.nanoTime();
                turn.finish(Outcomes.ofAck(answer, popped.size()), popped.size(), now);
            });
        }
    }
}
