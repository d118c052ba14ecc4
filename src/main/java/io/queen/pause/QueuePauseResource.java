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

/** Holds the pops of a queue back. */
@Path("/api/v1/queues/{queue}/pause")
@Tag(name = "Queues")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "404", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class QueuePauseResource {
    private final Pausing pausing;

    QueuePauseResource(Pausing pausing) {
        this.pausing = pausing;
    }

    @POST
    @Produces("application/json")
    @Operation(
            operationId = "pauseQueue",
            summary = "Pause a queue",
            description = "Its pops get nothing and say `paused`, on all servers within a second; those that wait go on"
                    + " waiting. Pushes, acks and renewals work on. Kept until it is resumed or deleted.")
    @APIResponse(responseCode = "200", description = "It is paused; it may have been before")
    @APIResponse(responseCode = "409", ref = "Error")
    public Uni<PauseAnswer.Changed> pause(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return pausing.pause(name, null).map(done -> PauseAnswer.of(name, null, true, done));
    }

    @DELETE
    @Produces("application/json")
    @Operation(
            operationId = "resumeQueue",
            summary = "Resume a queue",
            description = "Pops that wait are woken, on all servers. Groups that are paused by name stay so.")
    @APIResponse(responseCode = "200", description = "It is not paused; it may not have been before")
    public Uni<PauseAnswer.Changed> resume(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return pausing.resume(name, null).map(done -> PauseAnswer.of(name, null, false, done));
    }
}
