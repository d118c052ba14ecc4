package io.queen.admin.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.resteasy.reactive.RestResponse;

/** Health as clients and {@code queenctl ping} ask for it; orchestrators use {@code /q/health}. */
@Path("/health")
@Produces("application/json")
final class HealthResource {
    private final DatabaseReadiness database;
    private final SharedState sharedState;
    private final String version;

    HealthResource(
            @Readiness DatabaseReadiness database,
            SharedState sharedState,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.database = database;
        this.sharedState = sharedState;
        this.version = version;
    }

    /** The answer, field by field as published clients read it. */
    @RegisterForReflection
    record Health(
            String status,
            String database,
            String server,
            @JsonProperty("worker_id") int workerId,
            String version,
            @JsonProperty("shared_state") SharedState.Answer sharedState,
            Worker queen) {}

    /** The worker that answered. Every event loop does the same, so there is one from outside. */
    @RegisterForReflection
    record Worker(@JsonProperty("worker_id") int workerId, String status) {}

    @GET
    public Uni<RestResponse<Health>> health() {
        return database.answers().map(this::answer);
    }

    private RestResponse<Health> answer(boolean up) {
        Health health = new Health(
                up ? "healthy" : "unhealthy",
                up ? "connected" : "disconnected",
                "queen",
                0,
                version,
                sharedState.current(),
                new Worker(0, "active"));
        return RestResponse.status(up ? RestResponse.Status.OK : RestResponse.Status.SERVICE_UNAVAILABLE, health);
    }
}
