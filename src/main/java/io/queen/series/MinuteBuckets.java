package io.queen.series;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.metrics.CounterRegistry.Minute;
import io.queen.metrics.Samples;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.queen.runtime.ServerId;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jboss.logging.Logger;

/** Writes every minute, and at the end, what this server did: a row for each queue that was used, and one for itself. */
@Singleton
public final class MinuteBuckets {
    private static final Logger LOG = Logger.getLogger(MinuteBuckets.class);
    private static final Duration LAST_WRITE = Duration.ofSeconds(2);

    /** Minutes that are kept while the database is away. */
    private static final int MAX_UNWRITTEN = 60;

    private record Bucket(OffsetDateTime time, JsonArray rows) {}

    private final Deque<Bucket> unwritten = new ConcurrentLinkedDeque<>();
    private final ServerId server;
    private final CounterRegistry counters;
    private final Samples samples;
    private final MinuteSnapshot snapshot;
    private final MeterRegistry registry;
    private final SeriesStore store;
    private final Schema schema;
    private final long everyMillis;
    private final PeriodicTask cycle;
    private long jobsTold;
    private long errorsTold;

    MinuteBuckets(
            QueenConfig config,
            ServerId server,
            CounterRegistry counters,
            Samples samples,
            MinuteSnapshot snapshot,
            MeterRegistry registry,
            SeriesStore store,
            Schema schema,
            PeriodicTasks tasks) {
        this.server = server;
        this.counters = counters;
        this.samples = samples;
        this.snapshot = snapshot;
        this.registry = registry;
        this.store = store;
        this.schema = schema;
        this.everyMillis = config.metrics().aggregateIntervalS() * 1000L;
        this.cycle = tasks.paced(everyMillis, "Writing metrics fails", () -> write().replaceWith(this::untilNext))
                .sayingWhenBack("Writing metrics works again");
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(() -> cycle.startIn(untilNext()));
    }

    /** Before the pool is closed. */
    void stop(@Observes @Priority(1) ShutdownEvent event) {
        cycle.stop();
        if (schema.ready()) {
            write().ifNoItem()
                    .after(LAST_WRITE)
                    .fail()
                    .onFailure()
                    .invoke(failure -> LOG.debugf("The last minute is lost: %s", failure.getMessage()))
                    .onFailure()
                    .recoverWithNull()
                    .await()
                    .indefinitely();
        }
    }

    private long untilNext() {
        return everyMillis - System.currentTimeMillis() % everyMillis;
    }

    /** Writes what happened since the last time, and what could not be written before. */
    public Uni<Void> write() {
        // The minute that ends now, not the one that begins.
        OffsetDateTime bucket =
                OffsetDateTime.now(ZoneOffset.UTC).minusSeconds(1).truncatedTo(ChronoUnit.MINUTES);
        unwritten.addLast(new Bucket(bucket, rows()));
        if (unwritten.size() > MAX_UNWRITTEN) {
            unwritten.pollFirst();
        }
        return writeNext();
    }

    private Uni<Void> writeNext() {
        Bucket next = unwritten.pollFirst();
        if (next == null) {
            return Uni.createFrom().voidItem();
        }
        return store.write(next.time(), server.value(), next.rows())
                .onFailure()
                .invoke(failure -> unwritten.addFirst(next))
                .flatMap(done -> writeNext());
    }

    private synchronized JsonArray rows() {
        List<Minute> minutes = counters.endMinute();
        Map<String, Samples.Range> sampled = samples.take();
        long jobs = total("queen.sidecar.requests");
        long errors = total("queen.sidecar.errors");
        snapshot.replace(minutes, sampled, jobs - jobsTold, errors - errorsTold);
        JsonArray rows = new JsonArray();
        for (Minute minute : minutes) {
            if (minute.queue().equals(CounterRegistry.SERVER)) {
                JsonObject whole =
                        metrics(minute).put("jobsDone", jobs - jobsTold).put("dbErrors", errors - errorsTold);
                rows.add(row(minute, describe(whole, sampled)));
            } else if (!minute.isQuiet()) {
                rows.add(row(minute, metrics(minute)));
            }
        }
        jobsTold = jobs;
        errorsTold = errors;
        return rows;
    }

    private JsonObject row(Minute minute, JsonObject metrics) {
        return new JsonObject().put("queue", minute.queue()).put("metrics", metrics.put("hostname", server.hostname()));
    }

    private static JsonObject metrics(Minute minute) {
        JsonObject metrics = new JsonObject();
        for (CounterKind kind : CounterKind.values()) {
            metrics.put(kind.key(), minute.of(kind));
        }
        return metrics.put("maxLagMs", minute.longestLag()).put("parkedCount", minute.parked());
    }

    private JsonObject describe(JsonObject metrics, Map<String, Samples.Range> sampled) {
        JsonObject ranges = new JsonObject();
        sampled.forEach((name, range) -> ranges.put(
                name,
                new JsonObject()
                        .put("count", range.count())
                        .put("avg", range.avg())
                        .put("min", range.min())
                        .put("max", range.max())
                        .put("last", range.last())));
        return metrics.put("port", server.port()).put("pid", server.pid()).put("samples", ranges);
    }

    private long total(String counter) {
        return (long) registry.find(counter).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
