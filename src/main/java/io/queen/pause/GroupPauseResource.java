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

/** Holds the pops of one group of a queue back. */
@Path("/api/v1/consumer-groups/{group}/queues/{queue}/pause")
@Produces("application/json")
final class GroupPauseResource {
    private final PauseKeeper pauses;

    GroupPauseResource(PauseKeeper pauses) {
        this.pauses = pauses;
    }

    @Audited
    @POST
    public Uni<Changed> pause(@PathParam("group") String group, @PathParam("queue") String queue) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return pauses.pause(where, name).map(done -> Changed.of(where, name, true, done));
    }

    @Audited
    @DELETE
    public Uni<Changed> resume(@PathParam("group") String group, @PathParam("queue") String queue) {
        String name = FieldRules.name(group, "group");
        String where = FieldRules.name(queue, "queue");
        return pauses.resume(where, name).map(done -> Changed.of(where, name, false, done));
    }
}
