package io.queen.bench;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A queue filled with messages before they are consumed, evenly over its partitions, which have numbers from 0. */
record FilledQueue(String name, int partitions) {
    private static final int BATCH = 500;
    private static final int CONNECTIONS = 8;

    /** A new queue with as many messages as the settings say. */
    static FilledQueue fill(BenchServer server, String stem) {
        Settings settings = server.settings();
        return fill(server, stem, settings.partitionsOrDefault(), settings.stock);
    }

    /** A new queue with so many messages in each of so many partitions. */
    static FilledQueue fill(BenchServer server, String stem, int partitions, int each) {
        FilledQueue queue = new FilledQueue(server.newQueue(stem), partitions);
        AtomicLong next = new AtomicLong();
        List<HttpConnection> connections =
                Stream.generate(server::open).limit(CONNECTIONS).toList();
        connections.stream()
                .map(connection -> queue.push(server, connection, next, (long) partitions * each))
                .toList()
                .forEach(queue::requireDone);
        connections.forEach(HttpConnection::close);
        return queue;
    }

    /** Pushes batch after batch; gives the first problem, null if there was none. */
    private CompletableFuture<String> push(BenchServer server, HttpConnection connection, AtomicLong next, long total) {
        long from = next.getAndAdd(BATCH);
        if (from >= total) {
            return CompletableFuture.completedFuture(null);
        }
        server.progress().busy("filling: %,d of %,d messages".formatted(from, total));
        Requests requests = server.requests();
        int count = (int) Math.min(BATCH, total - from);
        byte[] request = requests.push(count, i -> requests.message(name, (from + i) % partitions, from + i));
        return connection.ask(request).thenCompose(answer -> {
            String problem = answer.pushProblem(count);
            return problem == null ? push(server, connection, next, total) : CompletableFuture.completedFuture(problem);
        });
    }

    private void requireDone(CompletableFuture<String> pushing) {
        String problem = pushing.join();
        if (problem != null) {
            throw new BenchException("Cannot fill the queue " + name + ": " + problem);
        }
    }
}
