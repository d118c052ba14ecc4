package io.queen.pause;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** What is paused. */
@Path("/api/v1/pauses")
@Produces("application/json")
final class PauseResource {
    private final PauseKeeper pauses;

    PauseResource(PauseKeeper pauses) {
        this.pauses = pauses;
    }

    @GET
    public Uni<PauseAnswer.All> list() {
        return pauses.look().map(PauseAnswer::of);
    }
}
