package io.queen.bench;

import java.io.IOException;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The scenarios in which each connection does the same thing in a loop. */
final class Scenarios {
    /** Messages of a pop, where that is not what differs. */
    static final int BATCH = 10;

    private static final int PREPARED = 1024;
    private static final int DRAIN = 1000;

    private Scenarios() {}

    /**
     * Pushes of so many messages each, every request to one partition by chance, as producers do. The requests are made
     * before, so that making them takes no time from the server.
     */
    static Scenario push(BenchServer server, int batch) {
        String queue = server.newQueue("push-" + batch);
        List<byte[]> prepared = Stream.generate(() -> push(server, queue, batch, random(partitions(server))))
                .limit(PREPARED)
                .toList();
        return () -> Scenario.run(
                server,
                server.workers(worker -> worker.send(
                        prepared.get(random(PREPARED)), answer -> worker.finish(answer.pushProblem(batch), batch))));
    }

    private static byte[] push(BenchServer server, String queue, int batch, int partition) {
        return server.requests().push(batch, i -> server.requests().message(queue, partition, i));
    }

    /** Pops of named partitions: each connection has its own and takes them in turn. What it got it acks before the next. */
    static Scenario pop(BenchServer server) {
        FilledQueue queue = FilledQueue.fill(server, "pop");
        int connections = Math.min(server.settings().connections, queue.partitions());
        List<Supplier<Worker>> consumers = IntStream.range(0, connections)
                .mapToObj(i -> consumer(server, queue, i, connections))
                .toList();
        return () -> Scenario.run(server, consumers.stream().map(Supplier::get).toList());
    }

    /** Of the partitions {@code first}, {@code first + step} … Goes on in the next round where it stopped in this. */
    private static Supplier<Worker> consumer(BenchServer server, FilledQueue queue, int first, int step) {
        int partitions = (queue.partitions() - first + step - 1) / step;
        ConsumerGroup group = new ConsumerGroup("c" + first, partitions);
        PrimitiveIterator.OfInt next =
                IntStream.iterate(0, i -> (i + 1) % partitions).iterator();
        AtomicReference<Popped> held = new AtomicReference<>();
        return () -> new Worker(
                server,
                worker -> ack(server, held.getAndSet(null), worker),
                worker -> worker.receive(
                        group,
                        name -> server.requests()
                                .popPartition(queue.name(), first + step * next.nextInt(), name, BATCH),
                        popped -> {
                            held.set(popped);
                            worker.finish(null, popped.size());
                        }));
    }

    private static void ack(BenchServer server, Popped held, Worker worker) {
        if (held == null) {
            worker.ready();
        } else {
            worker.send(
                    server.requests().ack(held), answer -> worker.check(answer.ackProblem(held.size()), worker::ready));
        }
    }

    /**
     * Pops of any partition of a filled queue, with an ack or without, by one group or several. When a group has consumed
     * everything its consumers go on as a new group, which gets all again: so the queue need not be as full as the run is
     * long.
     */
    static Scenario consume(BenchServer server, String name, int groupCount, boolean autoAck) {
        FilledQueue queue = FilledQueue.fill(server, name);
        int connections = server.settings().connections;
        List<ConsumerGroup> groups = IntStream.range(0, groupCount)
                .mapToObj(i -> new ConsumerGroup("g" + i, connections))
                .toList();
        return () -> Scenario.run(
                server,
                IntStream.range(0, Math.max(connections, groupCount))
                        .mapToObj(i -> consumer(server, queue, groups.get(i % groupCount), autoAck))
                        .toList());
    }

    private static Worker consumer(BenchServer server, FilledQueue queue, ConsumerGroup group, boolean autoAck) {
        Requests requests = server.requests();
        String more = autoAck ? "&autoAck=true" : "";
        return new Worker(
                server,
                worker -> worker.receive(group, name -> requests.pop(queue.name(), name, BATCH, more), popped -> {
                    int messages = popped.size();
                    if (autoAck) {
                        worker.finish(null, messages);
                    } else {
                        worker.send(
                                requests.ack(popped), answer -> worker.finish(answer.ackProblem(messages), messages));
                    }
                }));
    }

    /** Messages processed so that none is lost or doubled: taken, then in one transaction acknowledged and others pushed. */
    static Scenario transaction(BenchServer server) {
        FilledQueue queue = FilledQueue.fill(server, "transaction");
        String results = server.newQueue("results");
        ConsumerGroup group = new ConsumerGroup("workers", server.settings().connections);
        return () -> Scenario.run(
                server,
                Stream.generate(() -> processor(server, queue, group, results))
                        .limit(server.settings().connections)
                        .toList());
    }

    private static Worker processor(BenchServer server, FilledQueue queue, ConsumerGroup group, String results) {
        Requests requests = server.requests();
        AtomicReference<Popped> held = new AtomicReference<>();
        return new Worker(
                server,
                worker -> worker.receive(group, name -> requests.pop(queue.name(), name, BATCH, ""), popped -> {
                    held.set(popped);
                    worker.ready();
                }),
                worker -> {
                    Popped popped = held.get();
                    byte[] request =
                            requests.transaction(popped, i -> requests.message(results, random(queue.partitions()), i));
                    worker.send(request, answer -> worker.finish(answer.transactionProblem(), popped.size()));
                });
    }

    /** A pop of any of so many partitions, all consumed but for the message that was just pushed to one of them. */
    static Scenario partitions(BenchServer server, int partitions) {
        FilledQueue queue = FilledQueue.fill(server, "partitions-" + partitions, partitions, 1);
        ConsumerGroup group = new ConsumerGroup("consumers", Integer.MAX_VALUE);
        drain(server, queue.name(), group.name());
        return () -> Scenario.run(
                server,
                server.workers(
                        worker -> worker.send(
                                push(server, queue.name(), 1, random(partitions)),
                                answer -> worker.check(answer.pushProblem(1), worker::ready)),
                        worker -> worker.receive(
                                group,
                                name -> server.requests().pop(queue.name(), name, 1, "&autoAck=true"),
                                popped -> worker.finish(null, popped.size()))));
    }

    private static void drain(BenchServer server, String queue, String group) {
        byte[] pop = server.requests().pop(queue, group, DRAIN, "&autoAck=true&partitions=" + DRAIN);
        try {
            Answer answer = server.ask(pop);
            while (answer.succeeded() && !Popped.read(group, answer.body()).isEmpty()) {
                answer = server.ask(pop);
            }
            if (!answer.succeeded()) {
                throw new BenchException("Cannot empty the queue " + queue + ": " + answer.problem());
            }
        } catch (IOException e) {
            throw new BenchException("The server answered something that is not JSON: " + e.getMessage());
        }
    }

    /**
     * INSERTs of so many rows into a bare table in the server's database, past the server and as fast as they are answered:
     * what a push of as many messages is to be compared with.
     */
    static Scenario insert(BenchServer server, int rows) {
        return () -> {
            try (BareInsertStore inserts = new BareInsertStore(server, rows)) {
                List<Worker> workers = IntStream.range(0, server.settings().connections)
                        .mapToObj(i -> new Worker(server, worker -> insert(inserts, i, rows, worker)))
                        .toList();
                return Load.run(server, 0, workers, List.of(), () -> 0);
            }
        };
    }

    private static void insert(BareInsertStore inserts, int connection, int rows, Worker worker) {
        inserts.insert(connection).onComplete(done -> {
            String problem =
                    done.succeeded() ? null : String.valueOf(done.cause().getMessage());
            worker.finish(problem, rows, System.nanoTime());
        });
    }

    private static int partitions(BenchServer server) {
        return server.settings().partitionsOrDefault();
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
