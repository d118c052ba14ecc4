package io.queen.admin.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer of {@code GET /health}, field by field as published clients read it. */
@RegisterForReflection
record Health(
        @Schema(examples = "healthy") String status,
        @Schema(examples = "connected") String database,
        String server,
        @JsonProperty("worker_id") int workerId,
        String version,
        @JsonProperty("shared_state") SharedState sharedState,
        Worker queen) {

    /** The worker that answered. Every event loop does the same, so there is one from outside. */
    record Worker(@JsonProperty("worker_id") int workerId, String status) {}

    static Health of(boolean databaseAnswers, String version, SharedState sharedState) {
        return new Health(
                databaseAnswers ? "healthy" : "unhealthy",
                databaseAnswers ? "connected" : "disconnected",
                "queen",
                0,
                version,
                sharedState,
                new Worker(0, "active"));
    }
}
