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
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What happened over time: series of points, an hour by default. */
@Path("/api/v1/analytics")
@Produces("application/json")
final class AnalyticsResource {
    private static final Duration HOUR = Duration.ofHours(1);

    private final SeriesStore store;

    AnalyticsResource(SeriesStore store) {
        this.store = store;
    }

    @GET
    @Path("/system-metrics")
    public Uni<RestResponse<byte[]>> system(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(store.system(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/worker-metrics")
    public Uni<RestResponse<byte[]>> workers(
            @BeanParam RangeQuery range, @RestQuery String hostname, @RestQuery String workerId) {
        return answer(store.workers(hour(range), QueryParams.given(hostname), QueryParams.given(workerId)));
    }

    @GET
    @Path("/queue-lag")
    public Uni<RestResponse<byte[]>> queueLag(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(store.queueLag(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/queue-ops")
    public Uni<RestResponse<byte[]>> queueOps(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(store.queueOps(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/queue-parked-replicas")
    public Uni<RestResponse<byte[]>> parked(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(store.parked(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/retention")
    public Uni<RestResponse<byte[]>> retention(@BeanParam RangeQuery range, @RestQuery String queue) {
        return answer(store.retention(hour(range), QueryParams.name(queue, "queue")));
    }

    @GET
    @Path("/postgres-stats")
    public Uni<RestResponse<byte[]>> postgres() {
        return answer(store.postgres());
    }

    private static TimeRange hour(RangeQuery range) {
        return range.range(HOUR);
    }

    private static Uni<RestResponse<byte[]>> answer(Uni<String> text) {
        return text.map(JsonAnswer::of);
    }
}
