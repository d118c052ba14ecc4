package io.queen.pause;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.pop.ready.PartitionNews;
import io.queen.pop.ready.Pause;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Holds queues and groups back, and keeps what this server knows of pauses as the database has it: at once when they are changed here or when another server
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
    private final ReadyIndex index;
    private final PartitionNews news;
    private final MultiGauge gauge;
    private final PeriodicTask task;
    private final AtomicLong looks = new AtomicLong();
    private long applied;
    private List<Pause> known = List.of();

    PauseKeeper(
            Database database,
            Schema schema,
            Pauses pauses,
            ReadyIndex index,
            PeriodicTasks tasks,
            PartitionNews news,
            MeterRegistry registry) {
        this.database = database;
        this.schema = schema;
        this.pauses = pauses;
        this.index = index;
        this.news = news;
        this.task = tasks.every(EVERY_MS, "Pauses are not looked up", this::look);
        news.onPausesChanged(task::runNow);
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
        schema.onReady(task::start);
    }

    /** Pops of the queue, or of one group of it, get nothing from now on: here when this is done, the others are told. */
    Uni<PauseChange> pause(String queue, String group) {
        return PauseStore.pause(database, queue, group).call(this::tell);
    }

    Uni<PauseChange> resume(String queue, String group) {
        return PauseStore.resume(database, queue, group).call(this::tell);
    }

    private Uni<?> tell(PauseChange change) {
        if (!change.changed()) {
            return Uni.createFrom().voidItem();
        }
        news.pausesChanged();
        return look().onFailure().recoverWithNull();
    }

    /** The pauses as the database has them, by queue and group; this server keeps to them when this is done. */
    Uni<List<Pause>> look() {
        return Uni.createFrom().deferred(() -> {
            long number = looks.incrementAndGet();
            return PauseStore.all(database).invoke(found -> apply(number, found));
        });
    }

    /** Something was deleted that may have been paused. Done when this server knows; a failure is left to the next look. */
    public Uni<Void> lookAfterDeletion() {
        return pauses.isEmpty()
                ? Uni.createFrom().voidItem()
                : look().onFailure().recoverWithNull().replaceWithVoid();
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
        ended.forEach(pause -> index.resumed(pause.queue(), pause.group()));
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
