package io.queen.admin.queue;

import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What there is: partitions, namespaces, tasks, and all of it in numbers. */
@Path("/api/v1/resources")
@Produces("application/json")
final class InspectionResource {
    private final Inspection inspection;

    InspectionResource(Inspection inspection) {
        this.inspection = inspection;
    }

    @GET
    @Path("/partitions")
    public Uni<RestResponse<byte[]>> partitions(@RestQuery String queue, @BeanParam PageQuery page) {
        return inspection
                .partitions(QueryParams.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/namespaces")
    public Uni<RestResponse<byte[]>> namespaces(@BeanParam PageQuery page) {
        return inspection.namespaces(page.page(PageQuery.MANY)).map(JsonAnswer::of);
    }

    @GET
    @Path("/tasks")
    public Uni<RestResponse<byte[]>> tasks(@BeanParam PageQuery page) {
        return inspection.tasks(page.page(PageQuery.MANY)).map(JsonAnswer::of);
    }

    @GET
    @Path("/overview")
    public Uni<RestResponse<byte[]>> overview() {
        return inspection.overview().map(JsonAnswer::of);
    }
}
