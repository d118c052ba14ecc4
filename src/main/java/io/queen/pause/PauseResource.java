package io.queen.pause;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** What is paused. */
@Path("/api/v1/pauses")
@Produces("application/json")
final class PauseResource {
    private final Pausing pausing;

    PauseResource(Pausing pausing) {
        this.pausing = pausing;
    }

    @GET
    public Uni<PauseAnswer.All> list() {
        return pausing.list().map(PauseAnswer::of);
    }
}
