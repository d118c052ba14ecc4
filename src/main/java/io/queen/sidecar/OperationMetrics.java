package io.queen.sidecar;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queen.metrics.Complaints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** What one operation did, over all sidecars of this server. Touched once per list, not per message. */
public final class OperationMetrics {
    private final LongAdder waiting = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder inFlight = new LongAdder();
    private final Complaints complaints;
    private final String failure;
    private final Timer time;
    private final DistributionSummary listSize;
    private final Counter requests;
    private final Counter items;
    private final Counter errors;
    private final Counter refusals;

    public OperationMetrics(MeterRegistry registry, Operation operation, Complaints complaints) {
        String op = operation.label();
        this.complaints = complaints;
        this.failure = "A list (" + op + ") fails, and is sent again, taken apart or answered with an error";
        time = Timer.builder("queen.sidecar.list.time")
                .description("Time from sending a list to its answer")
                .tag("op", op)
                .publishPercentileHistogram(false)
                .register(registry);
        listSize = DistributionSummary.builder("queen.sidecar.list.size")
                .description("Requests in a list")
                .tag("op", op)
                .register(registry);
        requests = counter(registry, "queen.sidecar.requests", "Requests answered by PostgreSQL", op);
        items = counter(registry, "queen.sidecar.items", "Messages, acks or renewals in those requests", op);
        errors = counter(registry, "queen.sidecar.errors", "Lists that failed", op);
        refusals = counter(registry, "queen.sidecar.refusals", "Requests refused because too many wait", op);
        Gauge.builder("queen.sidecar.waiting", waiting, LongAdder::sum)
                .description("Requests that wait for a connection")
                .tag("op", op)
                .register(registry);
        Gauge.builder("queen.sidecar.held", held, LongAdder::sum)
                .description("Requests that wait for a lock which a transaction outside holds")
                .tag("op", op)
                .register(registry);
        Gauge.builder("queen.sidecar.in.flight", inFlight, LongAdder::sum)
                .description("Lists under way")
                .tag("op", op)
                .register(registry);
        registerContract(registry, op);
    }

    /** The names under which dashboards of other servers look for these figures. */
    private void registerContract(MeterRegistry registry, String op) {
        contract(registry, "queen.sidecar.op.count", "Requests answered by PostgreSQL", op, requests::count);
        contract(registry, "queen.sidecar.op.items", "Messages, acks or renewals in those requests", op, items::count);
        contract(
                registry,
                "queen.sidecar.op.latency.microseconds",
                "Average time of a list",
                op,
                () -> time.mean(TimeUnit.MICROSECONDS));
    }

    private static void contract(
            MeterRegistry registry, String name, String description, String op, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tag("op", op).register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String op) {
        return Counter.builder(name).description(description).tag("op", op).register(registry);
    }

    public void waiting(int change) {
        waiting.add(change);
    }

    public void held(int change) {
        held.add(change);
    }

    public void refused() {
        refusals.increment();
    }

    public void sent(int size) {
        inFlight.increment();
        listSize.record(size);
    }

    public void returned(int size, int itemCount, long nanos) {
        inFlight.decrement();
        requests.increment(size);
        items.increment(itemCount);
        time.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void failed(Throwable cause) {
        errors.increment();
        complaints.failed(failure, cause);
    }

    public long waiting() {
        return waiting.sum();
    }

    public long inFlight() {
        return inFlight.sum();
    }

    public long itemCount() {
        return (long) items.count();
    }

    public Map<String, Object> values() {
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
