package io.queen.sidecar;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queen.metrics.Complaints;
import io.queen.tracing.RequestSpan;
import io.queen.tracing.Tracing;
import io.smallrye.mutiny.Uni;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * What one operation did, over all sidecars of this server: for the metrics, whose published names say list, and for the
 * traces. Touched once per batch, not per message.
 */
public final class OperationMetrics {
    private final LongAdder waiting = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder inFlight = new LongAdder();
    private final Complaints complaints;
    private final Tracing tracing;
    private final String op;
    private final String failure;
    private final Timer time;
    private final DistributionSummary listSize;
    private final Counter requests;
    private final Counter items;
    private final Counter errors;
    private final Counter refusals;

    OperationMetrics(MeterRegistry registry, Operation operation, Complaints complaints, Tracing tracing) {
        this.tracing = tracing;
        this.op = operation.label();
        this.complaints = complaints;
        this.failure = "A list (" + op + ") fails, and is sent again, taken apart or answered with an error";
        time = Timer.builder("queen.sidecar.list.time")
                .description("Time from sending a list to its answer")
                .tag("op", op)
                .register(registry);
        listSize = DistributionSummary.builder("queen.sidecar.list.size")
                .description("Requests in a list")
                .tag("op", op)
                .register(registry);
        requests = counter(registry, "queen.sidecar.requests", "Requests answered by PostgreSQL", op);
        items = counter(registry, "queen.sidecar.items", "Messages, acks or renewals in those requests", op);
        errors = counter(registry, "queen.sidecar.errors", "Lists that failed", op);
        refusals = counter(registry, "queen.sidecar.refusals", "Requests refused because too many wait", op);
        gauge(registry, "queen.sidecar.waiting", "Requests that wait for a connection", op, waiting::sum);
        gauge(
                registry,
                "queen.sidecar.held",
                "Requests that wait for a lock which a transaction outside holds",
                op,
                held::sum);
        gauge(registry, "queen.sidecar.in.flight", "Lists under way", op, inFlight::sum);
        // The names under which dashboards of other servers look for these figures.
        gauge(registry, "queen.sidecar.op.count", "Requests answered by PostgreSQL", op, requests::count);
        gauge(registry, "queen.sidecar.op.items", "Messages, acks or renewals in those requests", op, items::count);
        gauge(
                registry,
                "queen.sidecar.op.latency.microseconds",
                "Average time of a list",
                op,
                () -> time.mean(TimeUnit.MICROSECONDS));
    }

    private static void gauge(
            MeterRegistry registry, String name, String description, String op, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tag("op", op).register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String op) {
        return Counter.builder(name).description(description).tag("op", op).register(registry);
    }

    /** That of the request which calls now. */
    RequestSpan span() {
        return tracing.current();
    }

    /** The call, and a span for it when one of its requests has one. */
    <Q, A> Uni<List<A>> traced(List<QueuedRequest<Q, A>> batch, Uni<List<A>> call) {
        return tracing.batch(op, batch, QueuedRequest::span, call);
    }

    void waiting(int change) {
        waiting.add(change);
    }

    void held(int change) {
        held.add(change);
    }

    void refused() {
        refusals.increment();
    }

    void sent(int size) {
        inFlight.increment();
        listSize.record(size);
    }

    void returned(int size, int itemCount, long nanos) {
        inFlight.decrement();
        requests.increment(size);
        items.increment(itemCount);
        time.record(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(Throwable cause) {
        errors.increment();
        complaints.failed(failure, cause);
    }

    long waiting() {
        return waiting.sum();
    }

    long inFlight() {
        return inFlight.sum();
    }

    public long itemCount() {
        return (long) items.count();
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("count", (long) requests.count());
        values.put("items", (long) items.count());
        values.put("lists", time.count());
        values.put("avg_ms", time.mean(TimeUnit.MILLISECONDS));
        values.put("avg_list_size", listSize.mean());
        values.put("pending", waiting.sum());
        values.put("held", held.sum());
        values.put("in_flight", inFlight.sum());
        values.put("errors", (long) errors.count());
        values.put("refused", (long) refusals.count());
        return values;
    }
}
