package io.queen.pause;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What is paused. */
@Path("/api/v1/pauses")
@Tag(name = "Queues")
@APIResponse(responseCode = "default", ref = "Error")
final class PauseResource {
    private final Pausing pausing;

    PauseResource(Pausing pausing) {
        this.pausing = pausing;
    }

    @GET
    @Produces("application/json")
    @Operation(operationId = "listPauses", summary = "List what is paused", description = "By queue and group.")
    @APIResponse(responseCode = "200", description = "All pauses, as the database has them")
    public Uni<PauseAnswer.All> list() {
        return pausing.list().map(PauseAnswer::of);
    }
}
