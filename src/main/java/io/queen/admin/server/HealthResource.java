package io.queen.admin.server;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.RestResponse;

/** Health as clients and {@code queenctl ping} ask for it; orchestrators use {@code /q/health}. */
@Path("/health")
@Produces("application/json")
final class HealthResource {
    private final Readiness readiness;
    private final String version;
    private final SharedStates sharedStates;

    HealthResource(
            Readiness readiness,
            SharedStates sharedStates,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.readiness = readiness;
        this.version = version;
        this.sharedStates = sharedStates;
    }

    @GET
    public Uni<RestResponse<Health>> health() {
        return readiness.databaseAnswers().map(this::answer);
    }

    private RestResponse<Health> answer(boolean databaseAnswers) {
        RestResponse.Status status = databaseAnswers ? RestResponse.Status.OK : RestResponse.Status.SERVICE_UNAVAILABLE;
        return RestResponse.status(status, Health.of(databaseAnswers, version, sharedStates.current()));
    }
}
