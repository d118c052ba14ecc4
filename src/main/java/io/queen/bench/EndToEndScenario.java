package io.queen.bench;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * From the answer to a push to the message in the hands of a consumer that waits for it. Half of the connections push,
 * the other half waits for messages of any partition.
 */
final class EndToEndScenario implements Scenario {
    /** Without a rate the queue would only grow, and the time in it say nothing about waking up. */
    private static final double DEFAULT_RATE = 1000;

    private static final String WAIT = "&autoAck=true&wait=true&timeout=20000";

    private final Site site;
    private final String queue;
    private final AtomicLong numbers = new AtomicLong();
    /** Of each message on its way: when its push was answered; or when it arrived, if that came first. */
    private final Map<Long, Event> waiting = new ConcurrentHashMap<>();

    private record Event(boolean answered, long time) {}

    EndToEndScenario(Site site) {
        this.site = site;
        this.queue = site.queue("end-to-end");
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = site.settings();
        int half = Math.max(1, settings.connections() / 2);
        List<Lane> producers = Collections.nCopies(half, this::push);
        List<Lane> consumers = Collections.nCopies(half, this::pop);
        waiting.clear();
        return Load.run(
                site, settings.rate() > 0 ? settings.rate() : DEFAULT_RATE, producers, consumers, this::outstanding);
    }

    private long outstanding() {
        return waiting.values().stream().filter(Event::answered).count();
    }

    private void push(Wire wire, Turn turn) {
        long number = numbers.incrementAndGet();
        int partition = ThreadLocalRandom.current().nextInt(site.settings().partitionsOrDefault());
        String payload = Payload.of(site.settings().payload(), number);
        wire.send(
                site.requests().push(1, i -> new Requests.Item(queue, Stock.partition(partition), payload)), answer -> {
                    long now = System.nanoTime();
                    String problem = Outcomes.ofPush(answer, 1);
                    if (problem == null) {
                        meet(number, new Event(true, now), turn);
                        turn.end();
                    } else {
                        turn.failed(problem);
                    }
                });
    }

    private void pop(Wire wire, Turn turn) {
        wire.send(site.requests().pop(queue, null, "consumers", ConsumeScenario.BATCH, WAIT), answer -> {
            long now = System.nanoTime();
            if (!answer.succeeded()) {
                turn.failed(answer.problem());
                return;
            }
            try {
                for (Popped.Message message : Popped.read(answer.body()).messages()) {
                    meet(message.number(), new Event(false, now), turn);
                }
                turn.end();
            } catch (IOException e) {
                turn.failed("an answer that is not JSON");
            }
        });
    }

    /** A message that arrived before its push was answered took no time. */
    private void meet(long number, Event event, Turn turn) {
        Event other = waiting.putIfAbsent(number, event);
        if (other != null) {
            waiting.remove(number);
            long answered = event.answered() ? event.time() : other.time();
            long arrived = event.answered() ? other.time() : event.time();
            turn.record(answered, 1, Math.max(0, arrived - answered));
        }
    }
}
