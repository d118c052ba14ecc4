package io.queen.admin.queue;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.QueenException;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What there is: queues, partitions, namespaces, tasks, and all of it in numbers. */
@Path("/api/v1/resources")
@Produces("application/json")
final class QueueResource {
    private final QueueStore store;
    private final QueueDeletion deletion;

    QueueResource(QueueStore store, QueueDeletion deletion) {
        this.store = store;
        this.deletion = deletion;
    }

    /** The answer to a deletion; {@code existed} is false when there was nothing to delete, which is no error. */
    @RegisterForReflection
    record Deleted(boolean deleted, String queue, boolean existed) {}

    @GET
    @Path("/queues")
    public Uni<RestResponse<byte[]>> queues(
            @RestQuery String namespace,
            @RestQuery String task,
            @BeanParam PageQuery page,
            @Context RoutingContext context) {
        String space = QueryParams.name(namespace, "namespace");
        return store.queues(space, QueryParams.name(task, "task"), page.page(PageQuery.MANY), false, visible(context))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/queues/{queue}")
    public Uni<RestResponse<byte[]>> queue(@PathParam("queue") String queue, @BeanParam PageQuery page) {
        String name = FieldRules.name(queue, "queue");
        return known(store.queue(name, page.page(PageQuery.MANY)), name);
    }

    @Audited
    @DELETE
    @Path("/queues/{queue}")
    public Uni<Deleted> delete(@PathParam("queue") String queue) {
        String name = FieldRules.name(queue, "queue");
        return deletion.delete(name).map(existed -> new Deleted(true, name, existed));
    }

    @GET
    @Path("/partitions")
    public Uni<RestResponse<byte[]>> partitions(
            @RestQuery String queue, @BeanParam PageQuery page, @Context RoutingContext context) {
        String name = QueryParams.name(queue, "queue");
        return known(store.partitions(name, page.page(PageQuery.MANY), visible(context)), name);
    }

    @GET
    @Path("/namespaces")
    public Uni<RestResponse<byte[]>> namespaces(@BeanParam PageQuery page, @Context RoutingContext context) {
        return store.namespaces(page.page(PageQuery.MANY), visible(context)).map(JsonAnswer::of);
    }

    @GET
    @Path("/tasks")
    public Uni<RestResponse<byte[]>> tasks(@BeanParam PageQuery page, @Context RoutingContext context) {
        return store.tasks(page.page(PageQuery.MANY), visible(context)).map(JsonAnswer::of);
    }

    @GET
    @Path("/overview")
    public Uni<RestResponse<byte[]>> overview(@Context RoutingContext context) {
        return store.overview(visible(context)).map(JsonAnswer::of);
    }

    static String[] visible(RoutingContext context) {
        return Caller.of(context).queues(Right.SEE);
    }

    /** Nothing was found when there is no such queue. */
    static Uni<RestResponse<byte[]>> known(Uni<String> found, String queue) {
        return found.onItem()
                .ifNull()
                .failWith(() -> QueenException.queueNotFound(queue))
                .map(JsonAnswer::of);
    }
}
