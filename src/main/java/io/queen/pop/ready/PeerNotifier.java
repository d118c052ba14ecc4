package io.queen.pop.ready;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.message.PartitionName;
import io.queen.metrics.Complaints;
import io.queen.pause.PauseKeeper;
import io.queen.pop.Subscriptions;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Tells the other servers of the database of news, so that pops that wait there wake at once. Said outside of the push,
 * gathered for a moment, and only when somebody else listens, because NOTIFY makes commits wait for each other. It may
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
    private final ReadyIndex rings;
    private final Subscriptions subscriptions;
    private final PauseKeeper pauses;
    private final Vertx vertx;
    private final Complaints complaints;
    private final boolean enabled;
    private final String self = UUID.randomUUID().toString();
    private final Set<PeerEvent> gathered = new LinkedHashSet<>();
    private volatile long listeners;
    private volatile long timer = -1;
    private boolean armed;

    PeerNotifier(
            PeerStore store,
            Schema schema,
            ReadyIndex rings,
            Subscriptions subscriptions,
            PauseKeeper pauses,
            Vertx vertx,
            Complaints complaints,
            QueenConfig config) {
        this.complaints = complaints;
        this.store = store;
        this.schema = schema;
        this.rings = rings;
        this.subscriptions = subscriptions;
        this.pauses = pauses;
        this.vertx = vertx;
        this.enabled = config.pop().listen() && !config.database().pooler();
    }

    void start(@Observes StartupEvent event) {
        if (enabled) {
            schema.whenReady().subscribe().with(ready -> {
                store.listen(this::hear);
                timer = vertx.setPeriodic(1, LOOK_ROUND_MS, ignored -> lookRound());
            });
        }
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
        store.close();
    }

    /** A push to the partition was committed here. */
    public void pushed(PartitionName lane, UUID partitionId) {
        say(new PeerEvent(lane, partitionId, null));
    }

    /** A lease of the group ended here, and messages are left. */
    public void leaseEnded(PartitionName lane, UUID partitionId, String group) {
        say(new PeerEvent(lane, partitionId, group));
    }

    /** The group's cursors in the queue were moved or removed here. */
    public void groupMoved(String queue, String group) {
        moved(queue, group);
        say(PeerEvent.groupMoved(queue, group));
    }

    /** Something was paused or resumed here. */
    public void pausesChanged() {
        say(PeerEvent.pausesChanged());
    }

    private void moved(String queue, String group) {
        subscriptions.forget(queue, group);
        rings.groupMoved(queue, group);
    }

    /** Whether servers are to hear of each other. */
    public boolean enabled() {
        return enabled;
    }

    /** Whether this server hears of others now. */
    public boolean listening() {
        return store.listening();
    }

    /** Servers that listen, this one among them, as seen within the last seconds; 0 when nobody knows. */
    public long listeners() {
        return listeners;
    }

    private void say(PeerEvent signal) {
        if (listeners <= 1) {
            return;
        }
        synchronized (this) {
            gathered.add(signal);
            if (armed) {
                return;
            }
            armed = true;
        }
        vertx.setTimer(GATHER_MS, ignored -> send());
    }

    private void send() {
        List<PeerEvent> signals;
        synchronized (this) {
            signals = new ArrayList<>(gathered);
            gathered.clear();
            armed = false;
        }
        for (String text : PeerEventCodec.write(self, signals)) {
            store.say(text)
                    .subscribe()
                    .with(done -> {}, failure -> complaints.failed("Other servers are not told of news", failure));
        }
    }

    private void hear(String text) {
        for (PeerEvent signal : PeerEventCodec.read(self, text)) {
            if (signal.equals(PeerEvent.pausesChanged())) {
                pauses.poll();
            } else if (signal.partitionId() == null && signal.group() != null) {
                moved(signal.lane().queue(), signal.group());
            } else if (signal.partitionId() == null) {
                rings.stir(signal.lane().queue());
            } else if (signal.group() == null) {
                rings.pushed(signal.lane(), signal.partitionId());
            } else {
                rings.leaseEnded(signal.lane(), signal.partitionId(), signal.group(), null, true);
            }
        }
    }

    private void lookRound() {
        store.listeners().subscribe().with(count -> listeners = count, failure -> {
            listeners = 0;
            complaints.failed("Who else listens is not known", failure);
        });
    }
}
