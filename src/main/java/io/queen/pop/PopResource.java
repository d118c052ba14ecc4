package io.queen.pop;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.runtime.MaintenanceFlags;
import io.queen.sidecar.Sidecar;
import io.queen.web.ApiSchema;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Gives messages to consumers. */
@Path("/api/v1/pop")
@Tag(name = "Messages")
@APIResponse(responseCode = "default", ref = "Error")
final class PopResource {
    private final Sidecar sidecar;
    private final QueenConfig.Pop config;
    private final MaintenanceFlags flags;

    PopResource(Sidecar sidecar, QueenConfig config, MaintenanceFlags flags) {
        this.sidecar = sidecar;
        this.config = config.pop();
        this.flags = flags;
    }

    @GET
    @Path("/queue/{queue}")
    @Produces("application/json")
    @Operation(
            operationId = "popQueue",
            summary = "Pop from any partition of a queue",
            description = "The one that has waited longest comes first.")
    @APIResponse(
            responseCode = "200",
            description = "Messages, all under one lease",
            content =
                    @Content(mediaType = "application/json", schema = @Schema(implementation = ApiSchema.Popped.class)))
    @APIResponse(responseCode = "204", description = "There is nothing")
    @Parameter(
            name = "namespace",
            in = ParameterIn.QUERY,
            description = "No effect: the queue is named",
            schema = @Schema(type = SchemaType.STRING))
    @Parameter(
            name = "task",
            in = ParameterIn.QUERY,
            description = "No effect: the queue is named",
            schema = @Schema(type = SchemaType.STRING))
    public Uni<RestResponse<byte[]>> queue(
            @PathParam("queue") String queue, @BeanParam PopQuery query, @Context RoutingContext context) {
        return pop(new PopTarget.Queue(FieldRules.name(queue, "queue")), query, context);
    }

    @GET
    @Path("/queue/{queue}/partition/{partition}")
    @Produces("application/json")
    @Operation(operationId = "popPartition", summary = "Pop from one partition")
    @APIResponse(
            responseCode = "200",
            description = "Messages in their order",
            content =
                    @Content(mediaType = "application/json", schema = @Schema(implementation = ApiSchema.Popped.class)))
    @APIResponse(responseCode = "204", description = "There is nothing, or another consumer of the group holds it")
    @Parameter(
            name = "namespace",
            in = ParameterIn.QUERY,
            description = "No effect: the queue is named",
            schema = @Schema(type = SchemaType.STRING))
    @Parameter(
            name = "task",
            in = ParameterIn.QUERY,
            description = "No effect: the queue is named",
            schema = @Schema(type = SchemaType.STRING))
    public Uni<RestResponse<byte[]>> partition(
            @PathParam("queue") String queue,
            @PathParam("partition") String partition,
            @BeanParam PopQuery query,
            @Context RoutingContext context) {
        PopTarget target =
                new PopTarget.Partition(FieldRules.name(queue, "queue"), FieldRules.name(partition, "partition"));
        return pop(target, query, context);
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "popMatching",
            summary = "Pop by namespace and task",
            description =
                    "From all queues that match, those of higher priority first. Takes `queue` and `partition` too.")
    @APIResponse(
            responseCode = "200",
            description = "Messages, all under one lease",
            content =
                    @Content(mediaType = "application/json", schema = @Schema(implementation = ApiSchema.Popped.class)))
    @APIResponse(responseCode = "204", description = "There is nothing")
    public Uni<RestResponse<byte[]>> matching(
            @RestQuery String namespace,
            @RestQuery String task,
            @RestQuery String queue,
            @RestQuery String partition,
            @BeanParam PopQuery query,
            @Context RoutingContext context) {
        PopTarget target = QueryParams.given(queue) == null
                ? matching(QueryParams.given(namespace), QueryParams.given(task))
                : named(queue, QueryParams.given(partition));
        return pop(target, query, context);
    }

    private static PopTarget named(String queue, String partition) {
        String name = FieldRules.name(queue, "queue");
        return partition == null
                ? new PopTarget.Queue(name)
                : new PopTarget.Partition(name, FieldRules.name(partition, "partition"));
    }

    private static PopTarget matching(String namespace, String task) {
        if (namespace == null && task == null) {
            throw new QueenException(ErrorCode.MISSING_FIELD, "queue, namespace or task is required");
        }
        return new PopTarget.Matching(
                namespace == null ? null : FieldRules.name(namespace, "namespace"),
                task == null ? null : FieldRules.name(task, "task"));
    }

    private Uni<RestResponse<byte[]>> pop(PopTarget target, PopQuery query, RoutingContext context) {
        return sidecar.pop(
                        query.request(target, config).withHolder(Holder.of(context.request(), query.consumer)),
                        query.waitMillis(config),
                        left -> context.addEndHandler(ended -> {
                            if (ended.failed()) {
                                left.run();
                            }
                        }))
                .map(this::answer);
    }

    private RestResponse<byte[]> answer(PopResult result) {
        if (!result.isEmpty()) {
            return JsonAnswer.of(200, json -> PopAnswer.write(json, result));
        }
        return switch (flags.pop() ? PopResult.Absence.PAUSED : result.absence()) {
            case PAUSED -> JsonAnswer.of(200, PopAnswer::writePaused);
            case NO_DATABASE -> JsonAnswer.of(200, PopAnswer::writeUnavailable);
            case UNREADABLE -> JsonAnswer.of(200, json -> PopAnswer.writeUnreadable(json, result.unreadable()));
            case NOTHING_THERE -> RestResponse.noContent();
        };
    }
}
