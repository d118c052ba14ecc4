package io.queen.http;

import io.queen.config.MaintenanceFlags;
import io.queen.config.ServerId;
import io.queen.pop.Signals;
import jakarta.inject.Singleton;

/** Tells the {@link SharedState} of now, from memory. */
@Singleton
final class SharedStates {
    private final Signals signals;
    private final MaintenanceFlags flags;
    private final ServerId serverId;

    SharedStates(Signals signals, MaintenanceFlags flags, ServerId serverId) {
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
