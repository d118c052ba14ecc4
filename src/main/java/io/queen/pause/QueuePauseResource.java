package io.queen.pause;

import io.queen.pause.PauseResource.Changed;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;

/** Holds the pops of a queue back. */
@Path("/api/v1/queues/{queue}/pause")
@Produces("application/json")
final class QueuePauseResource {
    private final PauseKeeper pauses;

    QueuePauseResource(PauseKeeper pauses) {
        this.pauses = pauses;
    }

    @Audited
    @POST
    public Uni<Changed> pause(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return pauses.pause(name, null).map(done -> Changed.of(name, null, true, done));
    }

    @Audited
    @DELETE
    public Uni<Changed> resume(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return pauses.resume(name, null).map(done -> Changed.of(name, null, false, done));
    }
}
