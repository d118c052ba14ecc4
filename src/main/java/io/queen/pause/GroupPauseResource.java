package io.queen.pause;

import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Holds the pops of one group of a queue back. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}/pause")
@Tag(name = "Groups")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "404", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class GroupPauseResource {
    private final Pausing pausing;

    GroupPauseResource(Pausing pausing) {
        this.pausing = pausing;
    }

    @POST
    @Produces("application/json")
    @Operation(
            operationId = "pauseGroup",
            summary = "Pause a group in a queue",
            description = "As for a whole queue; other groups go on. The group need not have popped yet.")
    @APIResponse(responseCode = "200", description = "It is paused; it may have been before")
    @APIResponse(responseCode = "409", ref = "Error")
    public Uni<PauseAnswer.Changed> pause(@PathParam("group") String group, @PathParam("queue") String queue) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return pausing.pause(where, name).map(done -> PauseAnswer.of(where, name, true, done));
    }

    @DELETE
    @Produces("application/json")
    @Operation(
            operationId = "resumeGroup",
            summary = "Resume a group in a queue",
            description = "Its pops that wait are woken, on all servers. A pause of the whole queue stays.")
    @APIResponse(responseCode = "200", description = "It is not paused by name; it may not have been before")
    public Uni<PauseAnswer.Changed> resume(@PathParam("group") String group, @PathParam("queue") String queue) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return pausing.resume(where, name).map(done -> PauseAnswer.of(where, name, false, done));
    }
}
