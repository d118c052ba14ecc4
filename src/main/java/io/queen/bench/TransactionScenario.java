package io.queen.bench;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What a worker does that must not lose or double anything: takes messages, and in one transaction acks and pushes. */
final class TransactionScenario implements Scenario {
    private final Site site;
    private final Stock stock;
    private final String results;
    private final Group group;

    TransactionScenario(Site site) {
        Settings settings = site.settings();
        this.site = site;
        this.stock = Stock.fill(site, "transaction", settings.partitionsOrDefault(), settings.stock());
        this.results = site.queue("results");
        this.group = new Group("workers", settings.connections());
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        List<Lane> lanes = Stream.generate(() -> (Lane) new Worker())
                .limit(settings.connections())
                .toList();
        return Load.run(site, settings.rate(), lanes, List.of(), Load.Settled.AT_ONCE);
    }

    /** One connection. */
    private final class Worker implements Lane {
        private Popped held = new Popped(Collections.emptyList());
        private String heldBy;

        @Override
        public void prepare(Wire wire, Turn turn, Runnable ready) {
            String name = group.name();
            wire.send(
                    site.requests().pop(stock.queue(), null, name, ConsumeScenario.BATCH, ""),
                    answer -> popped(turn, name, answer, ready));
        }

        private void popped(Turn turn, String name, Answer answer, Runnable ready) {
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
                    ready.run();
                }
            } catch (IOException e) {
                turn.failed("an answer that is not JSON");
            }
        }

        @Override
        public void run(Wire wire, Turn turn) {
            int messages = held.size();
            wire.send(site.requests().transaction(held, heldBy, i -> item()), answer -> {
                long now = System.nanoTime();
                turn.finish(Outcomes.ofTransaction(answer), messages, now);
            });
        }

        private Requests.Item item() {
            int number = ThreadLocalRandom.current().nextInt(stock.partitions());
            return new Requests.Item(
                    results, Stock.partition(number), Payload.of(site.settings().payload(), number));
        }
    }
}
