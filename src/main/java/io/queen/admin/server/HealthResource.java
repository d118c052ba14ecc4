package io.queen.admin.server;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Health as clients and {@code queenctl ping} ask for it; orchestrators use {@code /q/health}. */
@Path("/health")
@Tag(name = "System")
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
    @Produces("application/json")
    @Operation(
            operationId = "health",
            summary = "Whether the server can serve",
            description = "Answers within two seconds in any case.")
    @APIResponse(responseCode = "200", description = "The database answers")
    @APIResponse(
            responseCode = "503",
            description = "The database does not answer; same body",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Health.class)))
    public Uni<RestResponse<Health>> health() {
        return readiness.databaseAnswers().map(this::answer);
    }

    private RestResponse<Health> answer(boolean databaseAnswers) {
        RestResponse.Status status = databaseAnswers ? RestResponse.Status.OK : RestResponse.Status.SERVICE_UNAVAILABLE;
        return RestResponse.status(status, Health.of(databaseAnswers, version, sharedStates.current()));
    }
}
