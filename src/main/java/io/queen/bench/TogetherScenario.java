package io.queen.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * 500 pops at once, each of so many messages of its own partition. Timed from the first sent to the last answered, without
 * reading what came, which is done after. Each time in a group of its own, so that all is there again.
 */
final class TogetherScenario implements Scenario {
    private static final int POPS = 500;
    private static final int STOCK = 100;

    private final Site site;
    private final Stock stock;
    private final int each;
    private int group;

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
        String name = "g" + group++;
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
        check(answers, tally, nanos);
        return nanos;
    }

    private void check(Answer[] answers, Tally tally, long nanos) {
        int messages = 0;
        for (Answer answer : answers) {
            int found = answer.succeeded() ? count(answer) : 0;
            messages += found;
            if (found < each) {
                tally.failed(answer.succeeded() ? "fewer than " + each + " messages" : answer.problem());
            }
        }
        tally.record(messages, nanos);
    }

    private static int count(Answer answer) {
        try {
            return Popped.read(answer.body()).size();
        } catch (IOException e) {
            return 0;
        }
    }
}
