package io.queen.pause;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Keeps what this server knows of pauses as the database has it: at once when they are changed here or when another server
 * says so, within half a second otherwise. While the database is away they stay as they were last. Pops that wait for what
 * is resumed are woken.
 */
@Singleton
public final class PauseKeeper {
    private static final Logger LOG = Logger.getLogger(PauseKeeper.class);
    private static final long EVERY_MS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Database database;
    private final Schema schema;
    private final Pauses pauses;
    private final ReadyIndex rings;
    private final Vertx vertx;
    private final MultiGauge gauge;
    private final Complaints complaints;
    private final AtomicLong looks = new AtomicLong();
    private final AtomicBoolean polling = new AtomicBoolean();
    private volatile long timer = -1;
    private long applied;
    private List<Pause> known = List.of();

    PauseKeeper(
            Database database,
            Schema schema,
            Pauses pauses,
            ReadyIndex rings,
            Vertx vertx,
            Complaints complaints,
            MeterRegistry registry) {
        this.complaints = complaints;
        this.database = database;
        this.schema = schema;
        this.pauses = pauses;
        this.rings = rings;
        this.vertx = vertx;
        this.gauge = MultiGauge.builder("queen.paused")
                .description("1 for a queue, or a group of it, whose pops get nothing")
                .register(registry);
    }

    /** After the schema and the connections: what is paused is so when the port opens. */
    void start(@Observes @Priority(3) StartupEvent event) {
        if (schema.ready()) {
            look().ifNoItem()
                    .after(LIMIT)
                    .fail()
                    .onFailure()
                    .recoverWithNull()
                    .await()
                    .indefinitely();
        }
        schema.whenReady().subscribe().with(ready -> timer = vertx.setPeriodic(EVERY_MS, ignored -> poll()));
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
    }

    /** The pauses as the database has them; this server keeps to them when this is done. */
    public Uni<List<Pause>> look() {
        return Uni.createFrom().deferred(() -> {
            long number = looks.incrementAndGet();
            return PauseStore.all(database.general()).invoke(found -> apply(number, found));
        });
    }

    /** Something was deleted that may have been paused. Done when this server knows; a failure is left to the next look. */
    public Uni<Void> lookAfterDeletion() {
        return pauses.isEmpty()
                ? Uni.createFrom().voidItem()
                : look().onFailure().recoverWithNull().replaceWithVoid();
    }

    /** Looks soon, one look at a time: a slow database is not asked faster than it answers. */
    public void poll() {
        if (polling.compareAndSet(false, true)) {
            look().onTermination()
                    .invoke(() -> polling.set(false))
                    .subscribe()
                    .with(found -> {}, failure -> complaints.failed("Pauses are not looked up", failure));
        }
    }

    /** An answer that was asked for before another that is known already is out of date. */
    private synchronized void apply(long number, List<Pause> found) {
        if (number < applied) {
            return;
        }
        applied = number;
        if (found.equals(known)) {
            return;
        }
        List<Pause> ended = new ArrayList<>(known);
        ended.removeAll(found);
        List<Pause> begun = new ArrayList<>(found);
        begun.removeAll(known);
        known = found;
        pauses.replace(found);
        gauge.register(found.stream().<MultiGauge.Row<?>>map(PauseKeeper::row).toList(), true);
        begun.forEach(pause -> LOG.infof("Paused: %s", text(pause)));
        ended.forEach(pause -> LOG.infof("Resumed: %s", text(pause)));
        ended.forEach(pause -> rings.resumed(pause.queue(), pause.group()));
    }

    private static MultiGauge.Row<?> row(Pause pause) {
        return MultiGauge.Row.of(
                Tags.of("queue", pause.queue(), "group", pause.group() == null ? "" : pause.group()), 1);
    }

    private static String text(Pause pause) {
        return pause.group() == null
                ? "queue " + pause.queue()
                : "group " + pause.group() + " of queue " + pause.queue();
    }
}
