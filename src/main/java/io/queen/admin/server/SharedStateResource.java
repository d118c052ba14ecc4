package io.queen.admin.server;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What servers of one database know of each other. */
@Path("/api/v1/system/shared-state")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
final class SharedStateResource {
    private final SharedStates states;

    SharedStateResource(SharedStates states) {
        this.states = states;
    }

    @GET
    @Produces("application/json")
    @Operation(operationId = "sharedState", summary = "What this server knows of the others on its database")
    @APIResponse(responseCode = "200", description = "From memory, a few seconds old at most")
    public SharedState sharedState() {
        return states.current();
    }
}
