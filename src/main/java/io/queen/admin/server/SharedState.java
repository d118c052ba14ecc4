package io.queen.admin.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What this server knows of the others on its database. All that they share is in PostgreSQL; this is how they hear. */
@RegisterForReflection
record SharedState(
        @Schema(description = "Whether servers are to hear of each other by LISTEN")
        boolean enabled,

        @Schema(description = "Whether the LISTEN connection is there now")
        boolean running,

        @JsonProperty("server_id") String serverId,

        @JsonProperty("queue_config_cache") Cache cache,

        @JsonProperty("server_health") Servers servers,

        @JsonProperty("maintenance_mode") boolean maintenanceMode,

        @JsonProperty("pop_maintenance_mode") boolean popMaintenanceMode) {

    /** Queue settings are read where they are, in PostgreSQL: there is no cache, so these are zeros. */
    record Cache(
            long size,
            long hits,
            long misses,
            @JsonProperty("hit_rate") double hitRate) {
        static final Cache NONE = new Cache(0, 0, 0, 0);
    }

    /** The other servers that listen. PostgreSQL forgets a dead one at once, and there are no heartbeats. */
    record Servers(
            @JsonProperty("servers_tracked") long tracked,
            @JsonProperty("servers_alive") long alive,
            @JsonProperty("servers_dead") long dead,
            @JsonProperty("heartbeats_received") long heartbeats,
            @JsonProperty("restarts_detected") long restarts) {
        static Servers others(long count) {
            return new Servers(count, count, 0, 0, 0);
        }
    }
}
