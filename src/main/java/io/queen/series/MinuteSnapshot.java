package io.queen.series;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.queen.config.QueenConfig;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.metrics.CounterRegistry.Turn;
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
    private final MeterRegistry registry;
    private final int maxQueues;
    private final Tags server;
    private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
    private final Map<MultiGauge, List<Row<?>>> rows = new LinkedHashMap<>();

    MinuteSnapshot(MeterRegistry registry, QueenConfig config, ServerId id, CounterRegistry tallies) {
        this.registry = registry;
        this.maxQueues = config.metrics().maxQueues();
        this.server = Tags.of("hostname", id.hostname(), "worker_id", "0", "pid", Long.toString(id.pid()));
        totals(tallies.server());
    }

    private void totals(QueueCounters tally) {
        total(tally, "push.requests", CounterKind.PUSH_REQUESTS);
        total(tally, "push.messages", CounterKind.PUSH_MESSAGES);
        total(tally, "pop.requests", CounterKind.POP_REQUESTS);
        total(tally, "pop.messages", CounterKind.POP_MESSAGES);
        total(tally, "ack.requests", CounterKind.ACK_REQUESTS);
        total(tally, "ack.messages", CounterKind.ACK_MESSAGES);
        total(tally, "transactions", CounterKind.TRANSACTIONS);
        total(tally, "dlq", CounterKind.DEAD_LETTERS);
        total(tally, "ack", CounterKind.ACK_SUCCESS, "result", "success");
        total(tally, "ack", CounterKind.ACK_FAILED, "result", "failed");
    }

    private void total(QueueCounters tally, String name, CounterKind figure, String... tags) {
        FunctionCounter.builder("queen.cluster." + name, tally, known -> (double) known.total(figure))
                .description("Since the start of this server; the sum over all servers is that of the cluster")
                .tag("scope", "server")
                .tags(tags)
                .register(registry);
    }

    /** Replaces what was told of the turn before. */
    synchronized void is(List<Turn> turns, Map<String, Samples.Range> sampled, long jobs, long errors) {
        gauges.values().forEach(gauge -> rows.put(gauge, new ArrayList<>()));
        whole(turns.get(0), jobs, errors);
        sampled(sampled);
        turns.stream()
                .skip(1)
                .filter(turn -> !turn.isQuiet())
                .sorted(Comparator.comparingLong(
                        (Turn turn) -> -turn.of(CounterKind.PUSH_MESSAGES) - turn.of(CounterKind.POP_MESSAGES)))
                .limit(maxQueues)
                .forEach(this::queue);
        rows.forEach((gauge, values) -> gauge.register(values, true));
    }

    private void queue(Turn turn) {
        Tags queue = Tags.of("queue", turn.queue());
        add("queue.push.requests.per.minute", "Pushes of the last minute", queue, turn.of(CounterKind.PUSH_REQUESTS));
        add(
                "queue.push.messages.per.minute",
                "Messages stored in the last minute",
                queue,
                turn.of(CounterKind.PUSH_MESSAGES));
        add(
                "queue.pop.messages.per.minute",
                "Messages popped in the last minute",
                queue,
                turn.of(CounterKind.POP_MESSAGES));
        add(
                "queue.pop.empty.per.minute",
                "Pops of the last minute that found nothing",
                queue,
                turn.of(CounterKind.POP_EMPTY));
        add(
                "queue.transactions.per.minute",
                "Transactions of the last minute",
                queue,
                turn.of(CounterKind.TRANSACTIONS));
        String acks = "Acknowledgments of the last minute";
        add("queue.ack.per.minute", acks, queue.and("result", "success"), turn.of(CounterKind.ACK_SUCCESS));
        add("queue.ack.per.minute", acks, queue.and("result", "failed"), turn.of(CounterKind.ACK_FAILED));
        String lag = "How long messages popped in the last minute had waited";
        double average = turn.of(CounterKind.LAG_SUM) / (double) Math.max(1, turn.of(CounterKind.POP_MESSAGES));
        add("queue.pop.lag.milliseconds", lag, queue.and("stat", "avg"), average);
        add("queue.pop.lag.milliseconds", lag, queue.and("stat", "max"), turn.longestLag());
    }

    private void whole(Turn turn, long jobs, long errors) {
        String requests = "Requests of the last minute";
        add("worker.requests.per.minute", requests, server.and("op", "push"), turn.of(CounterKind.PUSH_REQUESTS));
        add("worker.requests.per.minute", requests, server.and("op", "pop"), turn.of(CounterKind.POP_REQUESTS));
        add("worker.requests.per.minute", requests, server.and("op", "ack"), turn.of(CounterKind.ACK_REQUESTS));
        add("worker.requests.per.minute", requests, server.and("op", "transaction"), turn.of(CounterKind.TRANSACTIONS));
        String messages = "Messages of the last minute";
        add("worker.messages.per.minute", messages, server.and("op", "push"), turn.of(CounterKind.PUSH_MESSAGES));
        add("worker.messages.per.minute", messages, server.and("op", "pop"), turn.of(CounterKind.POP_MESSAGES));
        add("worker.messages.per.minute", messages, server.and("op", "ack"), turn.of(CounterKind.ACK_MESSAGES));
        String acks = "Acknowledgments of the last minute";
        add("worker.ack.per.minute", acks, server.and("result", "success"), turn.of(CounterKind.ACK_SUCCESS));
        add("worker.ack.per.minute", acks, server.and("result", "failed"), turn.of(CounterKind.ACK_FAILED));
        add("worker.jobs.done.per.minute", "Requests that PostgreSQL answered in the last minute", server, jobs);
        add("worker.db.errors.per.minute", "Lists that failed in the last minute", server, errors);
        add(
                "worker.dlq.per.minute",
                "Messages dead-lettered in the last minute",
                server,
                turn.of(CounterKind.DEAD_LETTERS));
    }

    private void sampled(Map<String, Samples.Range> sampled) {
        Samples.Range lag = sampled.get("eventLoopLagMs");
        if (lag != null) {
            String text = "How late event loops were in the last minute";
            add("worker.event.loop.lag.milliseconds", text, server.and("stat", "avg"), lag.avg());
            add("worker.event.loop.lag.milliseconds", text, server.and("stat", "max"), lag.max());
        }
        Samples.Range slots = sampled.get("freeSlots");
        if (slots != null) {
            String text = "Connections for messages that were free in the last minute";
            add("worker.free.slots", text, server.and("stat", "avg"), slots.avg());
            add("worker.free.slots", text, server.and("stat", "min"), slots.min());
        }
        Samples.Range waiting = sampled.get("jobQueueSize");
        if (waiting != null) {
            String text = "Requests that waited for a connection in the last minute";
            add("worker.job.queue.size", text, server.and("stat", "avg"), waiting.avg());
            add("worker.job.queue.size", text, server.and("stat", "max"), waiting.max());
        }
        Samples.Range connections = sampled.get("dbConnections");
        if (connections != null) {
            add("worker.db.connections", "Connections for messages", server, connections.last());
        }
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
