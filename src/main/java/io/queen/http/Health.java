package io.queen.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer of {@code GET /health}, field by field as published clients read it. */
record Health(
        @Schema(examples = "healthy") String status,
        @Schema(examples = "connected") String database,
        String server,
        @JsonProperty("worker_id") int workerId,
        String version,
        @JsonProperty("shared_state") SharedState sharedState,
        Worker queen) {

    /** What servers of one database know of each other without asking it: nothing, PostgreSQL is all they share. */
    record SharedState(
            boolean enabled,
            boolean running,
            @JsonProperty("server_id") String serverId) {}

    /** The worker that answered. Every event loop does the same, so there is one from outside. */
    record Worker(@JsonProperty("worker_id") int workerId, String status) {}

    static Health of(boolean databaseAnswers, String version, String serverId) {
        return new Health(
                databaseAnswers ? "healthy" : "unhealthy",
                databaseAnswers ? "connected" : "disconnected",
                "queen",
                0,
                version,
                new SharedState(false, false, serverId),
                new Worker(0, "active"));
    }
}
