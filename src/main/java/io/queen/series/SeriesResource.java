package io.queen.series;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.Set;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What happened over time: series of points, an hour by default. */
@Path("/api/v1")
@Produces("application/json")
final class SeriesResource {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Set<String> INTERVALS = Set.of("minute", "hour", "day");

    private final SeriesStore store;

    SeriesResource(SeriesStore store) {
        this.store = store;
    }

    /** The state of the whole, with what happened lately. */
    @GET
    @Path("/status")
    public Uni<RestResponse<byte[]>> status(
            @BeanParam RangeQuery range,
            @RestQuery String queue,
            @RestQuery String namespace,
            @RestQuery String task,
            @Context RoutingContext context) {
        String name = QueryParams.name(queue, "queue");
        return answer(store.status(
                hour(range), name, QueryParams.given(namespace), QueryParams.given(task), visible(context)));
    }

    /** How many messages were pushed, per interval. */
    @GET
    @Path("/status/analytics")
    public Uni<RestResponse<byte[]>> created(
            @BeanParam RangeQuery range,
            @RestQuery String interval,
            @RestQuery String queue,
            @RestQuery String namespace,
            @RestQuery String task,
            @Context RoutingContext context) {
        return answer(store.created(
                range.range(DAY),
                interval(interval),
                QueryParams.name(queue, "queue"),
                QueryParams.given(namespace),
                QueryParams.given(task),
                visible(context)));
    }

    @GET
    @Path("/analytics/system-metrics")
    public Uni<RestResponse<byte[]>> system(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(store.system(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/analytics/worker-metrics")
    public Uni<RestResponse<byte[]>> workers(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(store.workers(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/analytics/queue-lag")
    public Uni<RestResponse<byte[]>> queueLag(
            @BeanParam RangeQuery range, @RestQuery String queue, @Context RoutingContext context) {
        return answer(store.queueLag(hour(range), QueryParams.name(queue, "queue"), visible(context)));
    }

    @GET
    @Path("/analytics/queue-ops")
    public Uni<RestResponse<byte[]>> queueOps(
            @BeanParam RangeQuery range, @RestQuery String queue, @Context RoutingContext context) {
        return answer(store.queueOps(hour(range), QueryParams.name(queue, "queue"), visible(context)));
    }

    @GET
    @Path("/analytics/queue-parked-replicas")
    public Uni<RestResponse<byte[]>> parked(
            @BeanParam RangeQuery range, @RestQuery String queue, @Context RoutingContext context) {
        return answer(store.parked(hour(range), QueryParams.name(queue, "queue"), visible(context)));
    }

    @GET
    @Path("/analytics/retention")
    public Uni<RestResponse<byte[]>> retention(
            @BeanParam RangeQuery range, @RestQuery String queue, @Context RoutingContext context) {
        return answer(store.retention(hour(range), QueryParams.name(queue, "queue"), visible(context)));
    }

    @GET
    @Path("/analytics/postgres-stats")
    public Uni<RestResponse<byte[]>> postgres() {
        return answer(store.postgres());
    }

    private static String[] visible(RoutingContext context) {
        return Caller.of(context).queues(Right.SEE);
    }

    private static TimeRange hour(RangeQuery range) {
        return range.range(HOUR);
    }

    private static String interval(String given) {
        String interval = QueryParams.given(given) == null ? "hour" : given;
        if (!INTERVALS.contains(interval)) {
            throw QueenException.invalid("interval", "must be minute, hour or day");
        }
        return interval;
    }

    private static Uni<RestResponse<byte[]>> answer(Uni<String> text) {
        return text.map(JsonAnswer::of);
    }
}
