package io.queen.series;

import io.queen.message.QueenException;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.Duration;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The state of the whole, with what happened lately. */
@Path("/api/v1/status")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
@Produces("application/json")
final class StatusSeriesResource {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Set<String> INTERVALS = Set.of("minute", "hour", "day");

    private final Series series;

    StatusSeriesResource(Series series) {
        this.series = series;
    }

    @GET
    @Operation(
            operationId = "status",
            summary = "Queues, messages, leases, dead letters and servers, and the throughput of a span of time")
    @APIResponse(responseCode = "200", description = "The newest point of throughput comes first")
    public Uni<RestResponse<byte[]>> status(
            @BeanParam RangeQuery range, @RestQuery String queue, @RestQuery String namespace, @RestQuery String task) {
        return series.status(
                        range.range(HOUR),
                        QueryParams.name(queue, "queue"),
                        QueryParams.given(namespace),
                        QueryParams.given(task))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/analytics")
    @Operation(operationId = "statusAnalytics", summary = "Messages created per minute, hour or day")
    @APIResponse(responseCode = "200", description = "The oldest point comes first; there are no gaps")
    public Uni<RestResponse<byte[]>> analytics(
            @BeanParam RangeQuery range,
            @RestQuery String interval,
            @RestQuery String queue,
            @RestQuery String namespace,
            @RestQuery String task) {
        return series.created(
                        range.range(DAY),
                        interval(interval),
                        QueryParams.name(queue, "queue"),
                        QueryParams.given(namespace),
                        QueryParams.given(task))
                .map(JsonAnswer::of);
    }

    private static String interval(String given) {
        String interval = QueryParams.given(given) == null ? "hour" : given;
        if (!INTERVALS.contains(interval)) {
            throw QueenException.invalid("interval", "must be minute, hour or day");
        }
        return interval;
    }
}
