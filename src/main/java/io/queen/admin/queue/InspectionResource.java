package io.queen.admin.queue;

import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What there is: partitions, namespaces, tasks, and all of it in numbers. */
@Path("/api/v1/resources")
@Tag(name = "Inspection")
@APIResponse(responseCode = "default", ref = "Error")
final class InspectionResource {
    private final Inspection inspection;

    InspectionResource(Inspection inspection) {
        this.inspection = inspection;
    }

    @GET
    @Path("/partitions")
    @Produces("application/json")
    @Operation(
            operationId = "listPartitions",
            summary = "List partitions",
            description = "By name; of all queues when none is given.")
    @APIResponse(
            responseCode = "200",
            description = "A page of partitions",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Partitions.class)))
    @APIResponse(responseCode = "404", ref = "Error")
    public Uni<RestResponse<byte[]>> partitions(@RestQuery String queue, @BeanParam PageQuery page) {
        return inspection
                .partitions(QueryParams.name(queue, "queue"), page.page(PageQuery.MANY))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/namespaces")
    @Produces("application/json")
    @Operation(
            operationId = "listNamespaces",
            summary = "List namespaces",
            description = "By name, with the counters of their queues.")
    @APIResponse(
            responseCode = "200",
            description = "A page of namespaces",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Namespaces.class)))
    public Uni<RestResponse<byte[]>> namespaces(@BeanParam PageQuery page) {
        return inspection.namespaces(page.page(PageQuery.MANY)).map(JsonAnswer::of);
    }

    @GET
    @Path("/tasks")
    @Produces("application/json")
    @Operation(
            operationId = "listTasks",
            summary = "List tasks",
            description = "By name, with the counters of their queues.")
    @APIResponse(
            responseCode = "200",
            description = "A page of tasks",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Tasks.class)))
    public Uni<RestResponse<byte[]>> tasks(@BeanParam PageQuery page) {
        return inspection.tasks(page.page(PageQuery.MANY)).map(JsonAnswer::of);
    }

    @GET
    @Path("/overview")
    @Produces("application/json")
    @Operation(operationId = "overview", summary = "Show everything in numbers")
    @APIResponse(
            responseCode = "200",
            description = "How much there is, how far consumers are behind, what goes through",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = InspectionSchema.Overview.class)))
    public Uni<RestResponse<byte[]>> overview() {
        return inspection.overview().map(JsonAnswer::of);
    }
}
