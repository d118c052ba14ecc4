package io.queen.admin.queue;

import io.queen.admin.message.Messages;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Queues in numbers. */
@Path("/api/v1/status/queues")
@Produces("application/json")
final class StatusResource {
    private static final int QUEUES = 100;
    private static final int MESSAGES = 50;

    private final Inspection inspection;
    private final Messages messages;

    StatusResource(Inspection inspection, Messages messages) {
        this.inspection = inspection;
        this.messages = messages;
    }

    @GET
    public Uni<RestResponse<byte[]>> queues(
            @RestQuery String namespace, @RestQuery String task, @BeanParam PageQuery page) {
        return inspection
                .statusOfQueues(
                        QueryParams.name(namespace, "namespace"), QueryParams.name(task, "task"), page.page(QUEUES))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}")
    public Uni<RestResponse<byte[]>> queue(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return inspection
                .statusOfQueue(FieldRules.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{queue}/messages")
    public Uni<RestResponse<byte[]>> messages(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        return messages.ofQueue(FieldRules.name(queue, "queue"), page.page(MESSAGES))
                .map(JsonAnswer::of);
    }
}
