package io.queen.series;

import static io.queen.metrics.CounterKind.ACK_FAILED;
import static io.queen.metrics.CounterKind.ACK_MESSAGES;
import static io.queen.metrics.CounterKind.ACK_REQUESTS;
import static io.queen.metrics.CounterKind.ACK_SUCCESS;
import static io.queen.metrics.CounterKind.DEAD_LETTERS;
import static io.queen.metrics.CounterKind.LAG_SUM;
import static io.queen.metrics.CounterKind.POP_EMPTY;
import static io.queen.metrics.CounterKind.POP_MESSAGES;
import static io.queen.metrics.CounterKind.POP_REQUESTS;
import static io.queen.metrics.CounterKind.PUSH_MESSAGES;
import static io.queen.metrics.CounterKind.PUSH_REQUESTS;
import static io.queen.metrics.CounterKind.TRANSACTIONS;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.queen.config.QueenConfig;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.metrics.CounterRegistry.Minute;
import io.queen.metrics.QueueCounters;
import io.queen.metrics.Samples;
import io.queen.runtime.ServerId;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last minute as Prometheus gets it, and the totals of this server since its start. Needs no database. */
@Singleton
final class MinuteSnapshot {
    private static final String ACKS = "Acknowledgments of the last minute";
    private static final String REQUESTS = "Requests of the last minute";
    private static final String MESSAGES = "Messages of the last minute";

    /** A counter as a gauge, under {@code queen.queue.} or {@code queen.worker.}. */
    private record Line(String name, String description, CounterKind kind, String... tags) {}

    private static final List<Line> OF_A_QUEUE = List.of(
            new Line("push.requests.per.minute", "Pushes of the last minute", PUSH_REQUESTS),
            new Line("push.messages.per.minute", "Messages stored in the last minute", PUSH_MESSAGES),
            new Line("pop.messages.per.minute", "Messages popped in the last minute", POP_MESSAGES),
            new Line("pop.empty.per.minute", "Pops of the last minute that found nothing", POP_EMPTY),
            new Line("transactions.per.minute", "Transactions of the last minute", TRANSACTIONS),
            new Line("ack.per.minute", ACKS, ACK_SUCCESS, "result", "success"),
            new Line("ack.per.minute", ACKS, ACK_FAILED, "result", "failed"));

    private static final List<Line> OF_THE_SERVER = List.of(
            new Line("requests.per.minute", REQUESTS, PUSH_REQUESTS, "op", "push"),
            new Line("requests.per.minute", REQUESTS, POP_REQUESTS, "op", "pop"),
            new Line("requests.per.minute", REQUESTS, ACK_REQUESTS, "op", "ack"),
            new Line("requests.per.minute", REQUESTS, TRANSACTIONS, "op", "transaction"),
            new Line("messages.per.minute", MESSAGES, PUSH_MESSAGES, "op", "push"),
            new Line("messages.per.minute", MESSAGES, POP_MESSAGES, "op", "pop"),
            new Line("messages.per.minute", MESSAGES, ACK_MESSAGES, "op", "ack"),
            new Line("ack.per.minute", ACKS, ACK_SUCCESS, "result", "success"),
            new Line("ack.per.minute", ACKS, ACK_FAILED, "result", "failed"),
            new Line("dlq.per.minute", "Messages dead-lettered in the last minute", DEAD_LETTERS));

    private final MeterRegistry registry;
    private final int maxQueues;
    private final Tags server;
    private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
    private final Map<MultiGauge, List<Row<?>>> rows = new LinkedHashMap<>();

    MinuteSnapshot(MeterRegistry registry, QueenConfig config, ServerId id, CounterRegistry counters) {
        this.registry = registry;
        this.maxQueues = config.metrics().maxQueues();
        this.server = Tags.of("hostname", id.hostname(), "worker_id", "0", "pid", Long.toString(id.pid()));
        totals(counters.server());
    }

    private void totals(QueueCounters counters) {
        total(counters, "push.requests", PUSH_REQUESTS);
        total(counters, "push.messages", PUSH_MESSAGES);
        total(counters, "pop.requests", POP_REQUESTS);
        total(counters, "pop.messages", POP_MESSAGES);
        total(counters, "ack.requests", ACK_REQUESTS);
        total(counters, "ack.messages", ACK_MESSAGES);
        total(counters, "transactions", TRANSACTIONS);
        total(counters, "dlq", DEAD_LETTERS);
        total(counters, "ack", ACK_SUCCESS, "result", "success");
        total(counters, "ack", ACK_FAILED, "result", "failed");
    }

    private void total(QueueCounters counters, String name, CounterKind kind, String... tags) {
        FunctionCounter.builder("queen.cluster." + name, counters, known -> (double) known.total(kind))
                .description("Since the start of this server; the sum over all servers is that of the cluster")
                .tag("scope", "server")
                .tags(tags)
                .register(registry);
    }

    /**
     * Replaces what was told of the minute before.
     *
     * @param minutes of the server first, then of the queues
     */
    synchronized void replace(List<Minute> minutes, Map<String, Samples.Range> sampled, long jobs, long errors) {
        gauges.values().forEach(gauge -> rows.put(gauge, new ArrayList<>()));
        OF_THE_SERVER.forEach(line -> add("worker.", line, server, minutes.get(0)));
        add("worker.jobs.done.per.minute", "Requests that PostgreSQL answered in the last minute", server, jobs);
        add("worker.db.errors.per.minute", "Lists that failed in the last minute", server, errors);
        sampled.forEach(this::sampled);
        minutes.stream()
                .skip(1)
                .filter(minute -> !minute.isQuiet())
                .sorted(Comparator.comparingLong(
                        (Minute minute) -> -minute.of(PUSH_MESSAGES) - minute.of(POP_MESSAGES)))
                .limit(maxQueues)
                .forEach(this::queue);
        rows.forEach((gauge, values) -> gauge.register(values, true));
    }

    private void queue(Minute minute) {
        Tags queue = Tags.of("queue", minute.queue());
        OF_A_QUEUE.forEach(line -> add("queue.", line, queue, minute));
        String lag = "How long messages popped in the last minute had waited";
        double average = minute.of(LAG_SUM) / (double) Math.max(1, minute.of(POP_MESSAGES));
        add("queue.pop.lag.milliseconds", lag, queue.and("stat", "avg"), average);
        add("queue.pop.lag.milliseconds", lag, queue.and("stat", "max"), minute.longestLag());
    }

    private void sampled(String name, Samples.Range range) {
        switch (name) {
            case "eventLoopLagMs" -> {
                String text = "How late event loops were in the last minute";
                add("worker.event.loop.lag.milliseconds", text, server.and("stat", "avg"), range.avg());
                add("worker.event.loop.lag.milliseconds", text, server.and("stat", "max"), range.max());
            }
            case "freeSlots" -> {
                String text = "Connections for messages that were free in the last minute";
                add("worker.free.slots", text, server.and("stat", "avg"), range.avg());
                add("worker.free.slots", text, server.and("stat", "min"), range.min());
            }
            case "jobQueueSize" -> {
                String text = "Requests that waited for a connection in the last minute";
                add("worker.job.queue.size", text, server.and("stat", "avg"), range.avg());
                add("worker.job.queue.size", text, server.and("stat", "max"), range.max());
            }
            case "dbConnections" -> add("worker.db.connections", "Connections for messages", server, range.last());
            default -> {
                // Written to the database only.
            }
        }
    }

    private void add(String of, Line line, Tags tags, Minute minute) {
        add(of + line.name, line.description, tags.and(line.tags), minute.of(line.kind));
    }

    private void add(String name, String description, Tags tags, Number value) {
        MultiGauge gauge = gauges.computeIfAbsent(
                name,
                key -> MultiGauge.builder("queen." + name)
                        .description(description)
                        .register(registry));
        rows.computeIfAbsent(gauge, key -> new ArrayList<>()).add(Row.of(tags, value));
    }
}
