package io.queen.bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * From the answer to a push to the message in the hands of a consumer that waits for it. Half of the connections push,
 * the other half waits for messages of any partition.
 */
final class EndToEndScenario implements Scenario {
    /** Without a rate the queue would only grow, and the time in it say nothing about waking up. */
    private static final double DEFAULT_RATE = 1000;

    private static final String GROUP = "consumers";
    private static final String WAIT = "&autoAck=true&wait=true&timeout=20000";

    private final BenchServer server;
    private final String queue;
    private final AtomicLong numbers = new AtomicLong();
    /** Of each message on its way: when its push was answered; or when it arrived, if that came first. */
    private final Map<Long, Event> waiting = new ConcurrentHashMap<>();

    private record Event(boolean answered, long time) {}

    EndToEndScenario(BenchServer server) {
        this.server = server;
        this.queue = server.newQueue("end-to-end");
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = server.settings();
        int half = Math.max(1, settings.connections / 2);
        waiting.clear();
        return Load.run(
                server,
                settings.rate > 0 ? settings.rate : DEFAULT_RATE,
                Stream.generate(() -> new Worker(server, this::push))
                        .limit(half)
                        .toList(),
                Stream.generate(() -> new Worker(server, this::pop)).limit(half).toList(),
                () -> waiting.values().stream().filter(Event::answered).count());
    }

    private void push(Worker worker) {
        long number = numbers.incrementAndGet();
        int partition = ThreadLocalRandom.current().nextInt(server.settings().partitionsOrDefault());
        byte[] push = server.requests().push(1, i -> server.requests().message(queue, partition, number));
        worker.send(
                push,
                answer -> worker.check(answer.pushProblem(1), () -> {
                    meet(number, new Event(true, worker.answeredAt()), worker);
                    worker.end();
                }));
    }

    private void pop(Worker worker) {
        worker.receive(GROUP, server.requests().pop(queue, GROUP, Scenarios.BATCH, WAIT), popped -> {
            Event arrived = new Event(false, worker.answeredAt());
            popped.messages().forEach(message -> meet(message.number(), arrived, worker));
            worker.end();
        });
    }

    /** A message that arrived before its push was answered took no time. */
    private void meet(long number, Event event, Worker worker) {
        Event other = waiting.putIfAbsent(number, event);
        if (other != null) {
            waiting.remove(number);
            long answered = event.answered() ? event.time() : other.time();
            long arrived = event.answered() ? other.time() : event.time();
            worker.record(answered, 1, Math.max(0, arrived - answered));
        }
    }
}
