package io.queen.admin.server;

import io.queen.pop.ready.PeerNotifier;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.ServerId;
import jakarta.inject.Singleton;

/** Tells the {@link SharedState} of now, from memory. */
@Singleton
final class SharedStates {
    private final PeerNotifier signals;
    private final MaintenanceFlags flags;
    private final ServerId serverId;

    SharedStates(PeerNotifier signals, MaintenanceFlags flags, ServerId serverId) {
        this.signals = signals;
        this.flags = flags;
        this.serverId = serverId;
    }

    SharedState current() {
        return new SharedState(
                signals.enabled(),
                signals.listening(),
                serverId.value(),
                SharedState.Cache.NONE,
                SharedState.Servers.others(Math.max(0, signals.listeners() - 1)),
                flags.push(),
                flags.pop());
    }
}
