package io.queen.admin.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.pop.ready.PeerNotifier;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.ServerId;
import jakarta.inject.Singleton;

/** What this server knows of the others on its database, from memory. All that they share is in PostgreSQL. */
@Singleton
@RegisterForReflection
final class SharedState {
    private final PeerNotifier peers;
    private final MaintenanceFlags flags;
    private final ServerId serverId;

    SharedState(PeerNotifier peers, MaintenanceFlags flags, ServerId serverId) {
        this.peers = peers;
        this.flags = flags;
        this.serverId = serverId;
    }

    /** Field by field as published clients read it. */
    record Answer(
            boolean enabled,
            boolean running,
            @JsonProperty("server_id") String serverId,
            @JsonProperty("queue_config_cache") Cache cache,
            @JsonProperty("server_health") Servers servers,
            @JsonProperty("maintenance_mode") boolean maintenanceMode,
            @JsonProperty("pop_maintenance_mode") boolean popMaintenanceMode) {}

    /** A push keeps the settings of its queues for a second only, and does not count how often: these are zeros. */
    record Cache(
            long size,
            long hits,
            long misses,
            @JsonProperty("hit_rate") double hitRate) {}

    /** The other servers that listen. PostgreSQL forgets a dead one at once, and there are no heartbeats. */
    record Servers(
            @JsonProperty("servers_tracked") long tracked,
            @JsonProperty("servers_alive") long alive,
            @JsonProperty("servers_dead") long dead,
            @JsonProperty("heartbeats_received") long heartbeats,
            @JsonProperty("restarts_detected") long restarts) {}

    Answer current() {
        long others = Math.max(0, peers.listeners() - 1);
        return new Answer(
                peers.enabled(),
                peers.listening(),
                serverId.value(),
                new Cache(0, 0, 0, 0),
                new Servers(others, others, 0, 0, 0),
                flags.push(),
                flags.pop());
    }
}
