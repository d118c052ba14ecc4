package io.queen.pause;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Schema;
import io.queen.database.SharedSetting;
import io.queen.pause.PauseStore.Change;
import io.queen.pop.ready.LocalNews;
import io.queen.pop.ready.PartitionNews;
import io.queen.pop.ready.Pause;
import io.queen.pop.ready.Pauses;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Keeps what this server knows of pauses as the database has it: at once when they are changed here or when another server
 * says so, within half a second otherwise. Pops that wait for what is resumed are woken.
 */
@Singleton
public final class PauseKeeper {
    private static final Logger LOG = Logger.getLogger(PauseKeeper.class);
    private static final long EVERY_MS = 500;

    private final PauseStore store;
    private final Pauses pauses;
    private final LocalNews pops;
    private final PartitionNews news;
    private final MultiGauge gauge;
    private final SharedSetting<List<Pause>> state;
    private List<Pause> known = List.of();

    PauseKeeper(
            PauseStore store,
            Schema schema,
            Pauses pauses,
            LocalNews pops,
            PartitionNews news,
            PeriodicTasks tasks,
            MeterRegistry registry) {
        this.store = store;
        this.pauses = pauses;
        this.pops = pops;
        this.news = news;
        this.state = new SharedSetting<>(schema, tasks, EVERY_MS, "Pauses are not looked up", store::all, this::apply);
        this.gauge = MultiGauge.builder("queen.paused")
                .description("1 for a queue, or a group of it, whose pops get nothing")
                .register(registry);
        news.onPausesChanged(state::poll);
    }

    /** After the schema and the connections: what is paused is so when the port opens. */
    void start(@Observes @Priority(3) StartupEvent event) {
        state.start();
    }

    /** All that is paused, by queue and group. */
    Uni<List<Pause>> list() {
        return state.look();
    }

    /** Pops of the queue, or of one group of it, get nothing from now on. */
    Uni<Change> pause(String queue, String group) {
        return store.pause(queue, group).call(this::tell);
    }

    Uni<Change> resume(String queue, String group) {
        return store.resume(queue, group).call(this::tell);
    }

    /** This server keeps to it when the answer goes out; a failure is left to the next look. */
    private Uni<?> tell(Change change) {
        if (!change.changed()) {
            return Uni.createFrom().voidItem();
        }
        news.pausesChanged();
        return state.look().onFailure().recoverWithNull();
    }

    /** Something was deleted that may have been paused. Done when this server knows; a failure is left to the next look. */
    public Uni<Void> lookAfterDeletion() {
        return pauses.isEmpty()
                ? Uni.createFrom().voidItem()
                : state.look().onFailure().recoverWithNull().replaceWithVoid();
    }

    private void apply(List<Pause> found) {
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
        ended.forEach(pause -> pops.resumed(pause.queue(), pause.group()));
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
