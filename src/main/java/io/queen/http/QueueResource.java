package io.queen.http;

import io.queen.admin.Queues;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Queues as resources. */
@Path("/api/v1/resources/queues")
@Tag(name = "Queues")
@APIResponse(responseCode = "default", ref = "Error")
final class QueueResource {
    private final Queues queues;

    QueueResource(Queues queues) {
        this.queues = queues;
    }

    /** The answer to a deletion; {@code existed} is false when there was nothing to delete, which is no error. */
    record Deleted(boolean deleted, String queue, boolean existed) {}

    @DELETE
    @Path("/{queue}")
    @Produces("application/json")
    @Operation(
            summary = "Delete a queue",
            description = "With its partitions, messages, cursors, leases, subscriptions, dead letters and traces.")
    @APIResponse(responseCode = "200", description = "It is gone; existed tells whether it was there")
    public Uni<Deleted> delete(@PathParam("queue") String queue) {
        String name = Text.name(queue, "queue");
        return queues.delete(name).map(existed -> new Deleted(true, name, existed));
    }
}
