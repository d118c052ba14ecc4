package io.queen.pop;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.runtime.MaintenanceFlags;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.tracing.MessageWork;
import io.queen.tracing.Tracing;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Gives messages to consumers. */
@Path("/api/v1/pop")
@Produces("application/json")
final class PopResource {
    private final LongPolls polls;
    private final QueenConfig.Pop config;
    private final MaintenanceFlags flags;
    private final Tracing tracing;

    PopResource(LongPolls polls, QueenConfig config, MaintenanceFlags flags, Tracing tracing) {
        this.polls = polls;
        this.config = config.pop();
        this.flags = flags;
        this.tracing = tracing;
    }

    @GET
    @Path("/queue/{queue}")
    public Uni<RestResponse<byte[]>> queue(
            @PathParam("queue") String queue, @BeanParam PopQuery query, @Context RoutingContext context) {
        return pop(named(queue, null), query, context);
    }

    @GET
    @Path("/queue/{queue}/partition/{partition}")
    public Uni<RestResponse<byte[]>> partition(
            @PathParam("queue") String queue,
            @PathParam("partition") String partition,
            @BeanParam PopQuery query,
            @Context RoutingContext context) {
        return pop(named(queue, partition), query, context);
    }

    @GET
    public Uni<RestResponse<byte[]>> filtered(
            @RestQuery String namespace,
            @RestQuery String task,
            @RestQuery String queue,
            @RestQuery String partition,
            @BeanParam PopQuery query,
            @Context RoutingContext context) {
        if (QueryParams.given(queue) == null) {
            PopTarget target = filter(QueryParams.given(namespace), QueryParams.given(task));
            Caller.of(context).requireOnAll(Right.CONSUME, "name one in a pop, in place of a namespace or task");
            return pop(target, query, context);
        }
        Caller.of(context).require(Right.CONSUME, queue);
        return pop(named(queue, QueryParams.given(partition)), query, context);
    }

    private static PopTarget named(String queue, String partition) {
        String name = FieldRules.name(queue, "queue");
        return partition == null
                ? new PopTarget.Queue(name)
                : new PopTarget.Partition(name, FieldRules.name(partition, "partition"));
    }

    private static PopTarget filter(String namespace, String task) {
        if (namespace == null && task == null) {
            throw new QueenException(ErrorCode.MISSING_FIELD, "queue, namespace or task is required");
        }
        return new PopTarget.Filter(
                namespace == null ? null : FieldRules.name(namespace, "namespace"),
                task == null ? null : FieldRules.name(task, "task"));
    }

    private Uni<RestResponse<byte[]>> pop(PopTarget target, PopQuery query, RoutingContext context) {
        return tracing.request(
                MessageWork.POP,
                context,
                span -> polls.pop(
                                span.receives(query.request(target, config)
                                        .withHolder(Holder.of(context.request(), query.consumer))),
                                query.waitMillis(config),
                                ClientGone.of(context))
                        .invoke(span::received)
                        .map(this::answer));
    }

    private RestResponse<byte[]> answer(PopResult result) {
        return result.isEmpty()
                ? NothingAnswer.of(flags.pop() ? PopResult.Absence.PAUSED : result.absence(), result)
                : JsonAnswer.of(200, json -> PopAnswer.write(json, result));
    }
}
