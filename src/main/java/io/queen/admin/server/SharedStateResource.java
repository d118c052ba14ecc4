package io.queen.admin.server;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** What servers of one database know of each other. */
@Path("/api/v1/system/shared-state")
@Produces("application/json")
final class SharedStateResource {
    private final SharedState state;

    SharedStateResource(SharedState state) {
        this.state = state;
    }

    @GET
    public SharedState.Answer sharedState() {
        return state.current();
    }
}
