package io.queen.admin.server;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** What servers of one database know of each other. */
@Path("/api/v1/system/shared-state")
@Produces("application/json")
final class SharedStateResource {
    private final SharedStates states;

    SharedStateResource(SharedStates states) {
        this.states = states;
    }

    @GET
    public SharedState sharedState() {
        return states.current();
    }
}
