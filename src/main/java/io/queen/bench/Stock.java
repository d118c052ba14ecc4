package io.queen.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A queue filled with messages before they are consumed, evenly over its partitions, named p0, p1 … */
record Stock(String queue, int partitions) {
    private static final int LIST = 500;
    private static final int CONNECTIONS = 8;

    /** Fills a new queue with so many messages in each of so many partitions. */
    static Stock fill(Site site, String stem, int partitions, int each) {
        Stock stock = new Stock(site.queue(stem), partitions);
        long total = (long) partitions * each;
        AtomicLong next = new AtomicLong();
        CompletableFuture<?>[] done = IntStream.range(0, CONNECTIONS)
                .mapToObj(i -> stock.fill(site, next, total))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(done).join();
        return stock;
    }

    static String partition(long number) {
        return "p" + number;
    }

    private CompletableFuture<Void> fill(Site site, AtomicLong next, long total) {
        Wire wire = site.open();
        CompletableFuture<Void> done = new CompletableFuture<>();
        wire.loop().execute(() -> step(site, wire, next, total, done));
        return done.whenComplete((ignored, failure) -> wire.close());
    }

    private void step(Site site, Wire wire, AtomicLong next, long total, CompletableFuture<Void> done) {
        long from = next.getAndAdd(LIST);
        if (from >= total) {
            done.complete(null);
            return;
        }
        site.progress().busy("filling: %,d of %,d messages".formatted(from, total));
        int count = (int) Math.min(LIST, total - from);
        wire.send(site.requests().push(count, i -> item(site, from + i)), answer -> {
            String problem = Outcomes.ofPush(answer, count);
            if (problem == null) {
                step(site, wire, next, total, done);
            } else {
                done.completeExceptionally(new BenchException("Cannot fill the queue " + queue + ": " + problem));
            }
        });
    }

    private Requests.Item item(Site site, long number) {
        return new Requests.Item(
                queue,
                partition(number % partitions),
                Payload.of(site.settings().payload(), number));
    }
}
