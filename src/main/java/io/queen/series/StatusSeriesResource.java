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
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The state of the whole, with what happened lately. */
@Path("/api/v1/status")
@Produces("application/json")
final class StatusSeriesResource {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Set<String> INTERVALS = Set.of("minute", "hour", "day");

    private final SeriesStore store;

    StatusSeriesResource(SeriesStore store) {
        this.store = store;
    }

    @GET
    public Uni<RestResponse<byte[]>> status(
            @BeanParam RangeQuery range, @RestQuery String queue, @RestQuery String namespace, @RestQuery String task) {
        return store.status(
                        range.range(HOUR),
                        QueryParams.name(queue, "queue"),
                        QueryParams.given(namespace),
                        QueryParams.given(task))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/analytics")
    public Uni<RestResponse<byte[]>> analytics(
            @BeanParam RangeQuery range,
            @RestQuery String interval,
            @RestQuery String queue,
            @RestQuery String namespace,
            @RestQuery String task) {
        return store.created(
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
