package io.queen.admin.queue;

import io.queen.admin.message.MessageStore;
import io.queen.message.Ack;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.util.Objects;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Queues in numbers. */
@Path("/api/v1")
@Produces("application/json")
final class StatusResource {
    private static final int QUEUES = 100;
    private static final int MESSAGES = 50;

    private final QueueStore store;
    private final MessageStore messages;

    StatusResource(QueueStore store, MessageStore messages) {
        this.store = store;
        this.messages = messages;
    }

    @GET
    @Path("/status/queues")
    public Uni<RestResponse<byte[]>> queues(
            @RestQuery String namespace,
            @RestQuery String task,
            @BeanParam PageQuery page,
            @Context RoutingContext context) {
        String space = QueryParams.name(namespace, "namespace");
        String[] visible = QueueResource.visible(context);
        return store.queues(space, QueryParams.name(task, "task"), page.page(QUEUES), true, visible)
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/status/queues/{queue}")
    public Uni<RestResponse<byte[]>> queue(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        String name = FieldRules.name(queue, "queue");
        return QueueResource.known(store.status(name, page.page(PageQuery.MANY)), name);
    }

    @GET
    @Path("/status/queues/{queue}/messages")
    public Uni<RestResponse<byte[]>> messages(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        String name = FieldRules.name(queue, "queue");
        return QueueResource.known(messages.ofQueue(name, page.page(MESSAGES)), name);
    }

    /** For autoscalers, KEDA's metrics-api scaler above all: one flat object of numbers, and never a 404. */
    @GET
    @Path("/scaling/queues/{queue}")
    public Uni<RestResponse<byte[]>> lag(@PathParam("queue") String queue, @RestQuery String consumerGroup) {
        String group = Objects.requireNonNullElse(QueryParams.name(consumerGroup, "consumerGroup"), Ack.QUEUE_MODE);
        return store.lag(FieldRules.name(queue, "queue"), group).map(JsonAnswer::of);
    }
}
