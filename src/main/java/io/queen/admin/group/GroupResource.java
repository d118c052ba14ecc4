package io.queen.admin.group;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.QueenException;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.JsonBody;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.queen.web.TimeParser;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Groups in all queues; in one they are {@link GroupQueueResource}'s. */
@Path("/api/v1/consumer-groups")
@Produces("application/json")
final class GroupResource {
    private static final int DEFAULT_LAG_SECONDS = 3600;

    private final GroupStore store;
    private final Groups groups;

    GroupResource(GroupStore store, Groups groups) {
        this.store = store;
        this.groups = groups;
    }

    @GET
    public Uni<RestResponse<byte[]>> list(@BeanParam PageQuery page, @Context RoutingContext context) {
        return store.list(page.page(PageQuery.MAX_LIMIT), visible(context)).map(JsonAnswer::of);
    }

    @GET
    @Path("/lagging")
    public Uni<RestResponse<byte[]>> lagging(
            @RestQuery String minLagSeconds, @BeanParam PageQuery page, @Context RoutingContext context) {
        long seconds = QueryParams.between(
                0, QueryParams.number(minLagSeconds, "minLagSeconds", DEFAULT_LAG_SECONDS), Integer.MAX_VALUE);
        return store.lagging(seconds, page.page(PageQuery.MAX_LIMIT), visible(context))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{group}")
    public Uni<RestResponse<byte[]>> describe(
            @PathParam("group") String group, @BeanParam PageQuery page, @Context RoutingContext context) {
        return store.describe(FieldRules.name(group, "group"), page.page(PageQuery.MAX_LIMIT), visible(context))
                .map(JsonAnswer::of);
    }

    @Audited
    @DELETE
    @Path("/{group}")
    public Uni<GroupAnswer.Deleted> delete(@PathParam("group") String group, @RestQuery String deleteMetadata) {
        String name = FieldRules.name(group, "group");
        return groups.delete(name, null, metadata(deleteMetadata))
                .map(gone -> new GroupAnswer.Deleted(true, name, gone.partitions(), gone.metadata()));
    }

    private static String[] visible(RoutingContext context) {
        return Caller.of(context).queues(Right.SEE);
    }

    /** Yes, unless the client says no. */
    static boolean metadata(String value) {
        return QueryParams.flag(value, "deleteMetadata", true);
    }

    @Audited
    @POST
    @Path("/{group}/subscription")
    public Uni<GroupAnswer.Subscribed> subscribe(
            @PathParam("group") String group, byte[] body, @Context RoutingContext context) {
        String name = FieldRules.name(group, "group");
        String time = JsonBody.read(body, GroupResource::timestamp);
        return store.subscribe(
                        name,
                        TimeParser.parse(time, "subscriptionTimestamp"),
                        Caller.of(context).queues(Right.CONSUME))
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
