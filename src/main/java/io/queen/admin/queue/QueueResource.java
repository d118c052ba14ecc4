package io.queen.admin.queue;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Queues as resources. */
@Path("/api/v1/resources/queues")
@Produces("application/json")
final class QueueResource {
    private final Queues queues;
    private final Inspection inspection;

    QueueResource(Queues queues, Inspection inspection) {
        this.queues = queues;
        this.inspection = inspection;
    }

    /** The answer to a deletion; {@code existed} is false when there was nothing to delete, which is no error. */
    @RegisterForReflection
    record Deleted(boolean deleted, String queue, boolean existed) {}

    @GET
    public Uni<RestResponse<byte[]>> list(
            @RestQuery String namespace, @RestQuery String task, @BeanParam PageQuery page) {
        return inspection
                .queues(
                        QueryParams.name(namespace, "namespace"),
                        QueryParams.name(task, "task"),
                        page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}")
    public Uni<RestResponse<byte[]>> detail(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return inspection
                .queue(FieldRules.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @DELETE
    @Path("/{queue}")
    public Uni<Deleted> delete(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return queues.delete(name).map(existed -> new Deleted(true, name, existed));
    }
}
