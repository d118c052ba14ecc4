package io.queen.bench;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Pushes of so many messages each, every request to one partition by chance, as producers do. The requests are made
 * before, so that making them takes no time from the server.
 */
final class PushScenario implements Scenario {
    private static final int PREPARED = 1024;

    private final Site site;
    private final int batch;
    private final List<byte[]> requests;

    PushScenario(Site site, int batch) {
        this.site = site;
        this.batch = batch;
        String queue = site.queue("push-" + batch);
        int partitions = site.settings().partitionsOrDefault();
        this.requests = IntStream.range(0, PREPARED)
                .mapToObj(i -> request(queue, ThreadLocalRandom.current().nextInt(partitions)))
                .toList();
    }

    private byte[] request(String queue, int partition) {
        return site.requests()
                .push(
                        batch,
                        number -> new Requests.Item(
                                queue,
                                Stock.partition(partition),
                                Payload.of(site.settings().payload(), number)));
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
