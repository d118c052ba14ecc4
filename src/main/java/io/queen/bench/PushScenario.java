package io.queen.bench;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Pushes of so many messages each, every request to one partition by chance, as producers do. The requests are made
 * before, so that making them takes no time from the server.
 */
final class PushScenario implements Scenario {
    private static final int PREPARED = 1024;

    private final BenchServer server;
    private final int batch;
    private final List<byte[]> prepared;

    PushScenario(BenchServer server, int batch) {
        this.server = server;
        this.batch = batch;
        String queue = server.newQueue("push-" + batch);
        this.prepared =
                IntStream.range(0, PREPARED).mapToObj(i -> request(queue)).toList();
    }

    private byte[] request(String queue) {
        int partition = ThreadLocalRandom.current().nextInt(server.settings().partitionsOrDefault());
        Requests requests = server.requests();
        return requests.push(batch, number -> requests.message(queue, partition, number));
    }

    @Override
    public Round run() throws InterruptedException {
        return Load.run(server, server.perConnection(Producer::new));
    }

    private final class Producer extends HttpWorker {
        Producer() {
            super(server);
        }

        @Override
        void run() {
            byte[] request = prepared.get(ThreadLocalRandom.current().nextInt(PREPARED));
            send(request, answer -> finish(answer.pushProblem(batch), batch));
        }
    }
}
