package io.queen.stream;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.JsonBody;
import io.queen.web.PageQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.util.function.Function;
import org.jboss.resteasy.reactive.RestResponse;

/** Streaming queries for operators: what they read, how much state they have, how far they are; deleted with their state. */
@Path("/api/v1/streams")
@Produces("application/json")
final class QueryResource {
    private static final int OK = 200;

    private final QueryStore store;
    private final StreamSweep sweep;

    QueryResource(QueryStore store, StreamSweep sweep) {
        this.store = store;
        this.sweep = sweep;
    }

    @GET
    public Uni<RestResponse<byte[]>> list(@BeanParam PageQuery page, @Context RoutingContext context) {
        return store.list(page.page(PageQuery.MANY), Caller.of(context).queues(Right.SEE))
                .map(JsonAnswer::of);
    }

    @GET
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> describe(
            @PathParam("name") String name, @BeanParam PageQuery page, @Context RoutingContext context) {
        return store.describe(
                        FieldRules.name(name, "name"),
                        page.page(PageQuery.MANY),
                        Caller.of(context).queues(Right.SEE))
                .map(json -> JsonAnswer.of(known(json, name)));
    }

    @Audited
    @DELETE
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> delete(@PathParam("name") String name, @Context RoutingContext context) {
        return ofCaller(name, context, source -> store.delete(name, source))
                .invoke(sweep::soon)
                .map(done -> JsonAnswer.of(OK, json -> {
                    json.writeStartObject();
                    json.writeBooleanField("success", true);
                    json.writeStringField("name", name);
                    json.writeEndObject();
                }));
    }

    @Audited
    @PATCH
    @Path("/{name}")
    public Uni<RestResponse<byte[]>> change(
            @PathParam("name") String name, byte[] body, @Context RoutingContext context) {
        int seconds = JsonBody.read(body, QueryResource::retention);
        return ofCaller(name, context, source -> store.retain(name, source, seconds))
                .map(done -> JsonAnswer.of(OK, json -> {
                    json.writeStartObject();
                    json.writeBooleanField("success", true);
                    json.writeStringField("name", name);
                    json.writeNumberField("stateRetentionSeconds", seconds);
                    json.writeEndObject();
                }));
    }

    private static int retention(JsonBody body) throws IOException {
        Integer seconds = null;
        boolean object = body.current() == JsonToken.START_OBJECT;
        for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
            if (name.equals("stateRetentionSeconds")) {
                seconds = Registration.seconds(body, name);
            } else {
                body.unknown("", name);
            }
        }
        if (seconds == null) {
            throw QueenException.missing("stateRetentionSeconds");
        }
        return seconds;
    }

    /** Runs the act, with the queue that the query reads, when the caller may consume that. */
    private Uni<Boolean> ofCaller(String name, RoutingContext context, Function<String, Uni<Boolean>> act) {
        return store.source(FieldRules.name(name, "name"))
                .invoke(source -> Caller.of(context).require(Right.CONSUME, known(source, name)))
                .flatMap(act::apply)
                .invoke(done -> known(done ? name : null, name));
    }

    private static String known(String found, String name) {
        if (found == null) {
            throw new QueenException(ErrorCode.QUERY_NOT_FOUND, "Query not found: " + name);
        }
        return found;
    }
}
