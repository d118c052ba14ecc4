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
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** For autoscalers, KEDA's metrics-api scaler above all: one flat object of numbers, and never a 404. */
@Path("/api/v1/scaling/queues")
@Produces("application/json")
final class ScalingResource {
    private final Scaling scaling;

    ScalingResource(Scaling scaling) {
        this.scaling = scaling;
    }

    @GET
    @Path("/{queue}")
    public Uni<RestResponse<byte[]>> lag(@PathParam("queue") String queue, @RestQuery String consumerGroup) {
        String group = QueryParams.name(consumerGroup, "consumerGroup");
        return scaling.lag(FieldRules.name(queue, "queue"), Objects.requireNonNullElse(group, Ack.QUEUE_MODE))
                .map(JsonAnswer::of);
    }
}
