package io.queen.pause;

import io.queen.database.Database;
import io.queen.pop.ready.PeerNotifier;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** Holds queues and groups back. This server keeps to it when the answer goes out, the others are told. */
@Singleton
public final class Pausing {
    private final Database database;
    private final PauseKeeper keeper;
    private final PeerNotifier signals;

    Pausing(Database database, PauseKeeper keeper, PeerNotifier signals) {
        this.database = database;
        this.keeper = keeper;
        this.signals = signals;
    }

    /** All that is paused, by queue and group. */
    public Uni<List<Pause>> list() {
        return keeper.look();
    }

    /** Pops of the queue, or of one group of it, get nothing from now on. */
    public Uni<PauseChange> pause(String queue, String group) {
        return PauseStore.pause(database.general(), queue, group).call(this::tell);
    }

    public Uni<PauseChange> resume(String queue, String group) {
        return PauseStore.resume(database.general(), queue, group).call(this::tell);
    }

    private Uni<?> tell(PauseChange change) {
        if (!change.changed()) {
            return Uni.createFrom().voidItem();
        }
        signals.pausesChanged();
        return keeper.look().onFailure().recoverWithNull();
    }
}
