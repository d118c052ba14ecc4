package io.queen.series;

import io.queen.message.TimeRange;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What happened over time: series of points, an hour by default. */
@Path("/api/v1/analytics")
@Tag(name = "System")
@APIResponse(responseCode = "200", description = "The series")
@APIResponse(responseCode = "default", ref = "Error")
@Produces("application/json")
final class AnalyticsResource {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Series series;

    AnalyticsResource(Series series) {
        this.series = series;
    }

    @GET
    @Path("/system-metrics")
    @Operation(operationId = "systemMetrics", summary = "CPU, memory, connections and event loops of each server")
    public Uni<RestResponse<byte[]>> system(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(series.system(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/worker-metrics")
    @Operation(operationId = "workerMetrics", summary = "What the servers did")
    public Uni<RestResponse<byte[]>> workers(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(series.workers(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/queue-lag")
    @Operation(operationId = "queueLag", summary = "How long popped messages had waited, per queue")
    public Uni<RestResponse<byte[]>> queueLag(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(series.queueLag(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/queue-ops")
    @Operation(operationId = "queueOps", summary = "What was done with each queue")
    public Uni<RestResponse<byte[]>> queueOps(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(series.queueOps(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/queue-parked-replicas")
    @Operation(operationId = "parkedPops", summary = "Pops that waited, per queue and server")
    public Uni<RestResponse<byte[]>> parked(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(series.parked(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/retention")
    @Operation(operationId = "retentionSeries", summary = "What retention and eviction removed")
    public Uni<RestResponse<byte[]>> retention(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(series.retention(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/postgres-stats")
    @Operation(
            operationId = "postgresStats",
            summary = "What PostgreSQL tells of the database: caches, sizes, dead rows, vacuums, running queries")
    public Uni<RestResponse<byte[]>> postgres() {
        return answer(series.postgres());
    }

    private static TimeRange hour(RangeQuery range) {
        return range.range(HOUR);
    }

    private static Uni<RestResponse<byte[]>> answer(Uni<String> text) {
        return text.map(JsonAnswer::of);
    }
}
