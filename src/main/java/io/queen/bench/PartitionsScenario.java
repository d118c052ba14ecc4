package io.queen.bench;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A pop of any of so many partitions, all consumed but for the message that was just pushed to one of them. */
final class PartitionsScenario implements Scenario {
    private static final String GROUP = "consumers";
    private static final int DRAIN = 1000;

    private final Site site;
    private final Stock stock;

    PartitionsScenario(Site site, int partitions) {
        this.site = site;
        this.stock = Stock.fill(site, "partitions-" + partitions, partitions, 1);
        drain();
    }

    private void drain() {
        byte[] request = site.requests().pop(stock.queue(), null, GROUP, DRAIN, "&autoAck=true&partitions=" + DRAIN);
        try {
            Answer answer = site.ask(request);
            while (answer.succeeded() && !Popped.read(answer.body()).isEmpty()) {
                answer = site.ask(request);
            }
            if (!answer.succeeded()) {
                throw new BenchException("Cannot empty the queue " + stock.queue() + ": " + answer.problem());
            }
        } catch (IOException e) {
            throw new BenchException("The server answered something that is not JSON: " + e.getMessage());
        }
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        List<Lane> lanes = Collections.nCopies(settings.connections(), new PushThenPop());
        return Load.run(site, settings.rate(), lanes, List.of(), Load.Settled.AT_ONCE);
    }

    /** Has no state, so all connections share it. */
    private final class PushThenPop implements Lane {
        @Override
        public void prepare(Wire wire, Turn turn, Runnable ready) {
            wire.send(site.requests().push(1, i -> item()), answer -> {
                String problem = Outcomes.ofPush(answer, 1);
                if (problem == null) {
                    ready.run();
                } else {
                    turn.failed(problem);
                }
            });
        }

        private Requests.Item item() {
            int number = ThreadLocalRandom.current().nextInt(stock.partitions());
            return new Requests.Item(
                    stock.queue(),
                    Stock.partition(number),
                    Payload.of(site.settings().payload(), number));
        }

        @Override
        public void run(Wire wire, Turn turn) {
            wire.send(site.requests().pop(stock.queue(), null, GROUP, 1, "&autoAck=true"), answer -> {
                long now = System.nanoTime();
                if (!answer.succeeded()) {
                    turn.failed(answer.problem());
                    return;
                }
                try {
                    int found = Popped.read(answer.body()).size();
                    if (found == 0) {
                        turn.empty();
                    } else {
                        turn.finish(null, found, now);
                    }
                } catch (IOException e) {
                    turn.failed("an answer that is not JSON");
                }
            });
        }
    }
}
