package io.queen.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * 500 pops at once, each of so many messages of its own partition. Timed from the first sent to the last answered, without
 * reading what came, which is done after, as are the acks. When all is consumed a new group gets everything again.
 */
final class SimultaneousPopsScenario implements Scenario {
    private static final int POPS = 500;
    private static final int STOCK = 100;
    private static final Answer NO_ANSWER = Answer.failed("no answer within " + Load.GRACE_SECONDS + " s");

    private final BenchServer server;
    private final FilledQueue queue;
    private final int each;
    private int generation;
    private int consumed;

    SimultaneousPopsScenario(BenchServer server, String name, int each) {
        this.server = server;
        this.queue = FilledQueue.fill(server, name, POPS, STOCK);
        this.each = each;
    }

    @Override
    public Round run() {
        List<HttpConnection> connections =
                Stream.generate(server::open).limit(POPS).toList();
        try {
            repeat(connections, server.settings().warmup);
            ResourceUsage before = server.usage();
            Counts counts = repeat(connections, server.settings().duration);
            return new Round(counts, server.usage().since(before), 0);
        } finally {
            connections.forEach(HttpConnection::close);
        }
    }

    /** At least once, and again until the time is over. Only the time of the pops counts. */
    private Counts repeat(List<HttpConnection> connections, Duration duration) {
        Schedule time = new Schedule(System.nanoTime(), Duration.ZERO, duration, 0);
        LiveCounts live = new LiveCounts(time);
        double seconds = 0;
        do {
            seconds += once(connections, live) / 1e9;
            server.progress().busy("%.3f s".formatted(seconds));
        } while (!time.isOver(System.nanoTime()));
        Counts counts = live.sum();
        return new Counts(counts.messages(), 0, seconds, counts.nanos(), counts.reasons());
    }

    /** Gives the nanoseconds it took. */
    private long once(List<HttpConnection> connections, LiveCounts counts) {
        String group = "g" + generation;
        List<byte[]> requests = IntStream.range(0, POPS)
                .mapToObj(i -> server.requests().popPartition(queue.name(), i, group, each))
                .toList();
        long start = System.nanoTime();
        List<CompletableFuture<Answer>> answers = IntStream.range(0, POPS)
                .mapToObj(i -> connections.get(i).ask(requests.get(i)))
                .toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, Load.GRACE_SECONDS, TimeUnit.SECONDS)
                .join();
        long nanos = System.nanoTime() - start;
        if (!answers.stream().allMatch(CompletableFuture::isDone)) {
            connections.forEach(HttpConnection::close);
        }
        Popped popped = read(group, answers, counts);
        counts.record(start, popped.size(), nanos);
        consumed += each;
        if (consumed + each > STOCK) {
            consumed = 0;
            generation++;
        } else {
            Answer answer = connections.get(0).askAndWait(server.requests().ack(popped));
            String problem = answer.ackProblem(popped.size());
            if (problem != null) {
                counts.failed(problem, 1);
            }
        }
        return nanos;
    }

    private Popped read(String group, List<CompletableFuture<Answer>> answers, LiveCounts counts) {
        List<Popped.Message> messages = new ArrayList<>();
        for (CompletableFuture<Answer> one : answers) {
            Answer answer = one.getNow(NO_ANSWER);
            List<Popped.Message> found = answer.succeeded() ? read(group, answer) : List.of();
            messages.addAll(found);
            if (found.size() < each) {
                counts.failed(answer.succeeded() ? "fewer than " + each + " messages" : answer.problem(), 1);
            }
        }
        return new Popped(group, messages);
    }

    private static List<Popped.Message> read(String group, Answer answer) {
        try {
            return Popped.read(group, answer.body()).messages();
        } catch (IOException e) {
            return List.of();
        }
    }
}
