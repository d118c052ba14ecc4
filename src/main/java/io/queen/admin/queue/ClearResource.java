package io.queen.admin.queue;

import io.queen.admin.message.Messages;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Empties queues. */
@Path("/api/v1/queues")
@Produces("application/json")
final class ClearResource {
    private final Messages messages;

    ClearResource(Messages messages) {
        this.messages = messages;
    }

    @DELETE
    @Path("/{queue}/clear")
    public Uni<RestResponse<byte[]>> clear(@PathParam("queue") String queue, @RestQuery String partition) {
        String name = FieldRules.name(queue, "queue");
        return messages.clear(name, QueryParams.name(partition, "partition")).map(deleted -> answer(name, deleted));
    }

    private static RestResponse<byte[]> answer(String queue, long deleted) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeBooleanField("cleared", true);
            json.writeStringField("queue", queue);
            json.writeNumberField("deleted", deleted);
            json.writeEndObject();
        });
    }
}
