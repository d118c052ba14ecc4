package io.queen.pop.ready;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Tells the other servers of the database of news, so that pops that wait there wake at once. Told outside of the push,
 * gathered for a moment, and only when another server listens, because NOTIFY makes commits wait for each other. It may
 * get lost, or be switched off (a pooler in transaction mode has no LISTEN): waiting pops look for themselves anyway.
 *
 * <p>Shared by all event loops: short synchronised sections, nothing waits inside.
 */
@Singleton
public final class PeerNotifier {
    private static final long GATHER_MS = 2;
    private static final long LOOK_ROUND_MS = 2000;

    private final PeerStore store;
    private final Schema schema;
    private final Vertx vertx;
    private final PeriodicTasks tasks;
    private final Complaints complaints;
    private final boolean enabled;
    private final String self = UUID.randomUUID().toString();
    private final Set<PeerEvent> gathered = new LinkedHashSet<>();
    private volatile Consumer<PeerEvent> onEvent = event -> {};
    private volatile long listeners;
    private boolean armed;

    PeerNotifier(
            PeerStore store,
            Schema schema,
            Vertx vertx,
            PeriodicTasks tasks,
            Complaints complaints,
            QueenConfig config) {
        this.complaints = complaints;
        this.store = store;
        this.schema = schema;
        this.vertx = vertx;
        this.tasks = tasks;
        this.enabled = config.pop().listen() && !config.database().pooler();
    }

    void start(@Observes StartupEvent event) {
        if (enabled) {
            PeriodicTask count =
                    tasks.every(LOOK_ROUND_MS, "How many other servers listen is not known", this::countListeners);
            schema.onReady(() -> {
                store.listen(this::heard);
                count.runNow();
            });
        }
    }

    void stop(@Observes ShutdownEvent event) {
        store.close();
    }

    /** Calls with what other servers tell. */
    void onEvent(Consumer<PeerEvent> listener) {
        onEvent = listener;
    }

    /** Whether servers are to hear of each other. */
    public boolean enabled() {
        return enabled;
    }

    /** Whether this server hears of others now. */
    public boolean listening() {
        return store.listening();
    }

    /** Servers that listen, this one among them, as seen within the last seconds; 0 when that is not known. */
    public long listeners() {
        return listeners;
    }

    /** Tells the other servers, soon. */
    void publish(PeerEvent event) {
        if (listeners <= 1) {
            return;
        }
        synchronized (this) {
            gathered.add(event);
            if (armed) {
                return;
            }
            armed = true;
        }
        vertx.setTimer(GATHER_MS, ignored -> send());
    }

    private void send() {
        List<PeerEvent> events;
        synchronized (this) {
            events = new ArrayList<>(gathered);
            gathered.clear();
            armed = false;
        }
        for (String text : PeerEventCodec.write(self, events)) {
            store.say(text)
                    .subscribe()
                    .with(done -> {}, failure -> complaints.failed("Other servers are not told of news", failure));
        }
    }

    private void heard(String text) {
        PeerEventCodec.read(self, text).forEach(onEvent);
    }

    private Uni<Long> countListeners() {
        return store.listeners().invoke(count -> listeners = count).onFailure().invoke(() -> listeners = 0);
    }
}
