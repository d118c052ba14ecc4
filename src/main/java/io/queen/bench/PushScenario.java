package io.queen.bench;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Pushes of so many messages each, to partitions by chance. The requests are made before, so that making them takes no
 * time from the server.
 */
final class PushScenario implements Scenario {
    private static final int PREPARED = 256;

    private final Site site;
    private final int batch;
    private final List<byte[]> requests;

    PushScenario(Site site, int batch) {
        this.site = site;
        this.batch = batch;
        String queue = site.queue("push-" + batch);
        int partitions = site.settings().partitionsOrDefault();
        this.requests = IntStream.range(0, PREPARED)
                .mapToObj(i -> site.requests().push(batch, item -> item(queue, partitions)))
                .toList();
    }

    private Requests.Item item(String queue, int partitions) {
        int number = ThreadLocalRandom.current().nextInt(partitions);
        return new Requests.Item(
                queue, Stock.partition(number), Payload.of(site.settings().payload(), number));
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        List<Lane> lanes = Collections.nCopies(settings.connections(), this::push);
        return Load.run(site, settings.rate(), lanes, List.of(), Load.Settled.AT_ONCE);
    }

    private void push(Wire wire, Turn turn) {
        byte[] request = requests.get(ThreadLocalRandom.current().nextInt(PREPARED));
        wire.send(request, answer -> {
            long now = System.nanoTime();
            turn.finish(Outcomes.ofPush(answer, batch), batch, now);
        });
    }
}
