package io.queen.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.message.ErrorCode;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.schedule.ScheduleReader.Wanted;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.QueryParams;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Messages that are pushed at set times. */
@Path("/api/v1/schedules")
@Produces("application/json")
final class ScheduleResource {
    private static final int OK = 200;
    private static final int CREATED = 201;
    /** With a time added it is a transaction id. */
    private static final int MAX_NAME = 200;

    private static final int DEFAULT_LIMIT = 100;

    private final Schedules schedules;
    private final ScheduleStore store;

    ScheduleResource(Schedules schedules, ScheduleStore store) {
        this.schedules = schedules;
        this.store = store;
    }

    @GET
    public Uni<RestResponse<byte[]>> list(
            @RestQuery String queue,
            @RestQuery String prefix,
            @BeanParam PageQuery page,
            @Context RoutingContext context) {
        String start = QueryParams.given(prefix) == null ? "" : prefix;
        String[] visible = Caller.of(context).queues(Right.SEE);
        return store.list(QueryParams.name(queue, "queue"), start, visible, page.page(DEFAULT_LIMIT))
                .map(found -> JsonAnswer.of(OK, json -> writeAll(json, found)));
    }

    private static void writeAll(JsonGenerator json, List<Schedule> found) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("schedules");
        for (Schedule each : found) {
            ScheduleAnswer.write(json, each);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    @GET
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> get(@PathParam("name") String name, @Context RoutingContext context) {
        return shown(checked(name), Caller.of(context), Right.READ, OK);
    }

    @Audited
    @PUT
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> put(@PathParam("name") String name, byte[] body, @Context RoutingContext context) {
        String checked = checked(name);
        Wanted wanted = ScheduleReader.read(body);
        Caller caller = Caller.of(context);
        caller.require(Right.MANAGE, wanted.queue());
        caller.require(Right.PRODUCE, wanted.queue());
        return schedules
                .put(checked, wanted, caller)
                .flatMap(created -> shown(checked, caller, Right.MANAGE, created ? CREATED : OK));
    }

    @Audited
    @DELETE
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> delete(@PathParam("name") String name, @Context RoutingContext context) {
        String checked = checked(name);
        return schedules
                .delete(checked, Caller.of(context))
                .map(done -> JsonAnswer.of(OK, json -> {
                    json.writeStartObject();
                    json.writeBooleanField("deleted", true);
                    json.writeStringField("name", checked);
                    json.writeEndObject();
                }));
    }

    @Audited
    @POST
    @Path("/{name}/pause")
    public Uni<RestResponse<byte[]>> pause(@PathParam("name") String name, @Context RoutingContext context) {
        String checked = checked(name);
        Caller caller = Caller.of(context);
        return schedules.pause(checked, caller).flatMap(done -> shown(checked, caller, Right.MANAGE, OK));
    }

    @Audited
    @POST
    @Path("/{name}/resume")
    public Uni<RestResponse<byte[]>> resume(@PathParam("name") String name, @Context RoutingContext context) {
        String checked = checked(name);
        Caller caller = Caller.of(context);
        return schedules.resume(checked, caller).flatMap(done -> shown(checked, caller, Right.MANAGE, OK));
    }

    @Audited
    @POST
    @Path("/{name}/run")
    public Uni<RestResponse<byte[]>> run(@PathParam("name") String name, @Context RoutingContext context) {
        String checked = checked(name);
        return schedules.run(checked, Caller.of(context)).map(run -> {
            if (run.result().status() == PushResult.Status.FAILED) {
                throw new QueenException(ErrorCode.CONFLICT, run.result().error());
            }
            return JsonAnswer.of(OK, json -> write(json, checked, run));
        });
    }

    private static void write(JsonGenerator json, String name, Schedules.Run run) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeStringField("queue", run.item().queue());
        json.writeStringField("partition", run.item().partition());
        json.writeStringField("transactionId", run.item().transactionId());
        json.writeStringField("messageId", run.result().messageId().toString());
        json.writeStringField("partitionId", run.result().partitionId().toString());
        json.writeEndObject();
    }

    private Uni<RestResponse<byte[]>> shown(String name, Caller caller, Right right, int status) {
        return schedules
                .find(name, caller, right)
                .map(found -> JsonAnswer.of(status, json -> ScheduleAnswer.writeWhole(json, found)));
    }

    private static String checked(String name) {
        if (name.length() > MAX_NAME) {
            throw QueenException.invalid("name", "must have at most " + MAX_NAME + " characters");
        }
        return FieldRules.name(name, "name");
    }
}
