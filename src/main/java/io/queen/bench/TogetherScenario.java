package io.queen.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * 500 pops at once, each of so many messages of its own partition. Timed from the first sent to the last answered, without
 * reading what came, which is done after, as are the acks. When all is consumed a new group gets everything again.
 */
final class TogetherScenario implements Scenario {
    private static final int POPS = 500;
    private static final int STOCK = 100;

    private final Site site;
    private final Stock stock;
    private final int each;
    private int group;
    private int consumed;

    TogetherScenario(Site site, String name, int each) {
        this.site = site;
        this.stock = Stock.fill(site, name, POPS, STOCK);
        this.each = each;
    }

    @Override
    public Round run() throws InterruptedException {
        List<Wire> wires = Stream.generate(site::open).limit(POPS).toList();
        try {
            repeat(wires, Window.of(site.settings().warmup()));
            Figures before = site.figures();
            Counts counts = repeat(wires, Window.of(site.settings().duration()));
            return new Round(counts, site.figures().since(before), 0);
        } finally {
            wires.forEach(Wire::close);
        }
    }

    /** At least once, and again until the time is over. */
    private Counts repeat(List<Wire> wires, Window window) throws InterruptedException {
        Tally tally = new Tally(window);
        double seconds = 0;
        do {
            seconds += once(wires, tally) / 1e9;
            site.progress().busy("%.3f s".formatted(seconds));
        } while (!window.isOver(System.nanoTime()));
        Counts counts = tally.counts();
        return new Counts(counts.messages(), 0, seconds, counts.nanos(), counts.reasons());
    }

    /** Gives the nanoseconds it took. */
    private long once(List<Wire> wires, Tally tally) throws InterruptedException {
        String name = "g" + group;
        List<byte[]> requests = IntStream.range(0, POPS)
                .mapToObj(i -> site.requests().pop(stock.queue(), Stock.partition(i), name, each, ""))
                .toList();
        Answer[] answers = new Answer[POPS];
        Arrays.fill(answers, Answer.failed("no answer within " + Load.GRACE_SECONDS + " s"));
        CountDownLatch open = new CountDownLatch(POPS);
        long start = System.nanoTime();
        for (int i = 0; i < POPS; i++) {
            int number = i;
            wires.get(i)
                    .loop()
                    .execute(() -> wires.get(number).send(requests.get(number), answer -> {
                        answers[number] = answer;
                        open.countDown();
                    }));
        }
        if (!open.await(Load.GRACE_SECONDS, TimeUnit.SECONDS)) {
            wires.forEach(Wire::close);
        }
        long nanos = System.nanoTime() - start;
        Popped popped = read(answers, tally);
        tally.record(popped.size(), nanos);
        consumed += each;
        if (consumed + each > STOCK) {
            consumed = 0;
            group++;
        } else {
            ack(wires.get(0), popped, name, tally);
        }
        return nanos;
    }

    private Popped read(Answer[] answers, Tally tally) {
        List<Popped.Message> messages = new ArrayList<>();
        for (Answer answer : answers) {
            List<Popped.Message> found = answer.succeeded() ? read(answer) : List.of();
            messages.addAll(found);
            if (found.size() < each) {
                tally.failed(answer.succeeded() ? "fewer than " + each + " messages" : answer.problem());
            }
        }
        return new Popped(messages);
    }

    private static List<Popped.Message> read(Answer answer) {
        try {
            return Popped.read(answer.body()).messages();
        } catch (IOException e) {
            return List.of();
        }
    }

    private void ack(Wire wire, Popped popped, String name, Tally tally) throws InterruptedException {
        CountDownLatch open = new CountDownLatch(1);
        wire.loop()
                .execute(() -> wire.send(site.requests().ack(popped, name), answer -> {
                    String problem = Outcomes.ofAck(answer, popped.size());
                    if (problem != null) {
                        tally.failed(problem);
                    }
                    open.countDown();
                }));
        if (!open.await(Load.GRACE_SECONDS, TimeUnit.SECONDS)) {
            tally.failed("no answer to an ack within " + Load.GRACE_SECONDS + " s");
        }
    }
}
