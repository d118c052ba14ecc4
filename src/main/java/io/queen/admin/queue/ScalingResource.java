package io.queen.admin.queue;

import io.queen.message.Ack;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** For autoscalers, KEDA's metrics-api scaler above all: one flat object of numbers, and never a 404. */
@Path("/api/v1/scaling/queues")
@Tag(name = "Queues")
@APIResponse(responseCode = "default", ref = "Error")
final class ScalingResource {
    private final Scaling scaling;

    ScalingResource(Scaling scaling) {
        this.scaling = scaling;
    }

    /** The answer as the OpenAPI document shows it; PostgreSQL writes it. */
    record QueueLag(
            String queue,
            String consumerGroup,

            @Schema(description = "Messages the group has not acknowledged yet, leased ones among them")
            long lagMessages,

            @Schema(description = "Age of the oldest of them in seconds")
            long lagSeconds,

            @Schema(description = "Partitions that have some: more consumers than that find nothing to lease")
            long lagPartitions) {}

    @GET
    @Path("/{queue}")
    @Produces("application/json")
    @Operation(
            operationId = "scalingLag",
            summary = "How far a group is behind, for autoscalers",
            description = "A queue that does not exist has no lag. A group that was never seen has the whole queue"
                    + " before it, or what its subscription leaves of it.")
    @APIResponse(
            responseCode = "200",
            description = "The lag",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = QueueLag.class)))
    public Uni<RestResponse<byte[]>> lag(
            @PathParam("queue") String queue,
            @RestQuery
                    @Parameter(
                            description = "The group",
                            schema = @Schema(defaultValue = Ack.QUEUE_MODE, maxLength = 255))
                    String consumerGroup) {
        String group = QueryParams.name(consumerGroup, "consumerGroup");
        return scaling.lag(FieldRules.name(queue, "queue"), Objects.requireNonNullElse(group, Ack.QUEUE_MODE))
                .map(JsonAnswer::of);
    }
}
