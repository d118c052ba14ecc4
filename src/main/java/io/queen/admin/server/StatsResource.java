package io.queen.admin.server;

import io.queen.web.JsonAnswer;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestResponse;

/** For clients that know servers whose counters are refreshed from time to time. */
@Path("/api/v1/stats")
@Produces("application/json")
final class StatsResource {
    private static final String NOTHING_TO_DO = """
            {"partition":{"partitionsUpdated":0},"queue":{"queuesUpdated":0},"namespace":{"namespacesUpdated":0},\
            "task":{"tasksUpdated":0},"system":{"systemUpdated":0},"cleanup":{"orphanedDeleted":0},\
            "message":"Counters are always live: there was nothing to refresh"}""";

    @POST
    @Path("/refresh")
    public RestResponse<byte[]> refresh() {
        return JsonAnswer.of(NOTHING_TO_DO);
    }
}
