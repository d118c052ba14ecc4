package io.queen.admin.deadletter;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.PageQuery;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.RestResponse;

/** Messages that groups gave up on. */
@Path("/api/v1/dlq")
@Produces("application/json")
final class DeadLetterResource {
    private static final int LETTERS = 100;

    private final DeadLetterStore store;
    private final Redrive redrive;
    private final PayloadCipher cipher;

    DeadLetterResource(DeadLetterStore store, Redrive redrive, PayloadCipher cipher) {
        this.store = store;
        this.redrive = redrive;
        this.cipher = cipher;
    }

    /** The answer to a deletion. */
    @RegisterForReflection
    record Deleted(long deleted) {}

    /** The answer to a redrive. */
    @RegisterForReflection
    record Redriven(boolean success, long redriven, long gone) {}

    @GET
    public Uni<RestResponse<byte[]>> list(
            @BeanParam DeadLetterQuery query,
            @BeanParam RangeQuery failed,
            @BeanParam PageQuery part,
            @Context RoutingContext context) {
        Page page = part.page(LETTERS);
        return store.list(query.filter(failed.given()), page, Caller.of(context).queues(Right.READ))
                .map(letters -> letters.answer("messages", "data", "dataError", page, cipher));
    }

    @Audited
    @DELETE
    public Uni<Deleted> delete(
            @BeanParam DeadLetterQuery query, @BeanParam RangeQuery failed, @Context RoutingContext context) {
        return store.delete(managed(query, failed, context)).map(Deleted::new);
    }

    @Audited
    @POST
    @Path("/redrive")
    public Uni<Redriven> redrive(
            @BeanParam DeadLetterQuery query,
            @BeanParam RangeQuery failed,
            @BeanParam RedriveQuery how,
            byte[] body,
            @Context RoutingContext context) {
        DeadLetterReader.read(body, query, failed, how);
        return redrive.all(managed(query, failed, context), how.toAllGroups())
                .map(outcome -> new Redriven(true, outcome.redriven(), outcome.gone()));
    }

    private static DeadLetterStore.Filter managed(DeadLetterQuery query, RangeQuery failed, RoutingContext context) {
        DeadLetterStore.Filter filter = query.filterOfOneQueue(failed.given());
        Caller.of(context).require(Right.MANAGE, filter.queue());
        return filter;
    }
}
