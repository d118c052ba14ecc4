package io.queen.admin.group;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.JsonBody;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.queen.web.TimeParser;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Groups in all queues; in one they are {@link GroupQueueResource}'s. */
@Path("/api/v1/consumer-groups")
@Tag(name = "Groups")
@APIResponse(responseCode = "default", ref = "Error")
final class GroupResource {
    private static final int DEFAULT_LAG_SECONDS = 3600;

    private final Groups groups;

    GroupResource(Groups groups) {
        this.groups = groups;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "listGroups",
            summary = "List the groups of all queues",
            description = "One element per group and queue, by both.")
    @APIResponse(
            responseCode = "200",
            description = "All groups that have popped",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(type = SchemaType.ARRAY, implementation = GroupAnswer.Listed.class)))
    public Uni<RestResponse<byte[]>> list(@BeanParam PageQuery page) {
        return groups.list(page.page(PageQuery.MAX_LIMIT)).map(JsonAnswer::of);
    }

    @GET
    @Path("/lagging")
    @Produces("application/json")
    @Operation(
            operationId = "listLagging",
            summary = "List the partitions that groups are behind in",
            description = "Those whose oldest unread message is older than `minLagSeconds`, the oldest first.")
    @APIResponse(
            responseCode = "200",
            description = "Partitions of any queue and group",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(type = SchemaType.ARRAY, implementation = GroupAnswer.Lagging.class)))
    public Uni<RestResponse<byte[]>> lagging(
            @RestQuery @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "0", defaultValue = "3600"))
                    String minLagSeconds,
            @BeanParam PageQuery page) {
        long seconds = QueryParams.between(
                0, QueryParams.number(minLagSeconds, "minLagSeconds", DEFAULT_LAG_SECONDS), Integer.MAX_VALUE);
        return groups.lagging(seconds, page.page(PageQuery.MAX_LIMIT)).map(JsonAnswer::of);
    }

    @GET
    @Path("/{group}")
    @Produces("application/json")
    @Operation(
            operationId = "showGroup",
            summary = "Where a group stands",
            description = "An object with one member per queue that the group has popped from, by name; empty for a"
                    + " group nobody knows. `limit` and `offset` count partitions over all queues.")
    @APIResponse(
            responseCode = "200",
            description = "The partitions by queue",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema =
                                    @Schema(
                                            type = SchemaType.OBJECT,
                                            additionalProperties = GroupAnswer.Described.class)))
    public Uni<RestResponse<byte[]>> describe(@PathParam("group") String group, @BeanParam PageQuery page) {
        return groups.describe(FieldRules.name(group, "group"), page.page(PageQuery.MAX_LIMIT))
                .map(JsonAnswer::of);
    }

    @DELETE
    @Path("/{group}")
    @Produces("application/json")
    @Operation(
            operationId = "deleteGroup",
            summary = "Delete a group in all queues",
            description = "Its cursors and leases, and unless `deleteMetadata=false` where its subscriptions begin. A"
                    + " later pop starts as a new group. Dead letters stay.")
    @APIResponse(responseCode = "200", description = "It is gone; unknown is no error")
    public Uni<GroupAnswer.Deleted> delete(@PathParam("group") String group, @RestQuery String deleteMetadata) {
        String name = FieldRules.name(group, "group");
        return groups.delete(name, null, metadata(deleteMetadata))
                .map(gone -> new GroupAnswer.Deleted(true, name, gone.partitions(), gone.metadata()));
    }

    /** Yes, unless the client says no. */
    static boolean metadata(String value) {
        return QueryParams.flag(value, "deleteMetadata", true);
    }

    @POST
    @Path("/{group}/subscription")
    @Produces("application/json")
    @Operation(
            operationId = "changeSubscription",
            summary = "Change where a group's subscriptions begin",
            description = "In all queues where the group has one. It matters in partitions that the group has not"
                    + " popped from yet; where it has a cursor nothing changes.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = GroupAnswer.Subscription.class)))
    @APIResponse(responseCode = "200", description = "How many subscriptions begin then")
    @APIResponse(responseCode = "400", ref = "Error")
    public Uni<GroupAnswer.Subscribed> subscribe(@PathParam("group") String group, byte[] body) {
        String name = FieldRules.name(group, "group");
        String time = JsonBody.read(body, GroupResource::timestamp);
        return groups.subscribe(name, TimeParser.parse(time, "subscriptionTimestamp"))
                .map(rows -> new GroupAnswer.Subscribed(true, name, time, rows));
    }

    private static String timestamp(JsonBody body) throws IOException {
        String time = null;
        boolean object = body.current() == JsonToken.START_OBJECT;
        for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
            if (name.equals("subscriptionTimestamp")) {
                time = body.isNull() ? null : body.string(name);
            } else {
                body.unknown("", name);
            }
        }
        if (time == null) {
            throw QueenException.missing("subscriptionTimestamp");
        }
        return time;
    }
}
