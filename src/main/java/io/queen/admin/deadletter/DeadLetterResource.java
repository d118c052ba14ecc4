package io.queen.admin.deadletter;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.JsonAnswer;
import io.queen.web.NothingDone;
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

    /** What was done, or would be done. */
    sealed interface Change {}

    /** The answer to a deletion. */
    @RegisterForReflection
    record Deleted(long deleted) implements Change {}

    /** The answer to a redrive. */
    @RegisterForReflection
    record Redriven(boolean success, long redriven, long gone) implements Change {}

    /** The answer to either when nothing was to be changed: how many dead letters it would have concerned. */
    @RegisterForReflection
    record DryRun(boolean dryRun, long matching) implements Change, NothingDone {}

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

    @GET
    @Path("/errors")
    public Uni<RestResponse<byte[]>> errors(
            @BeanParam DeadLetterQuery query,
            @BeanParam RangeQuery failed,
            @BeanParam PageQuery part,
            @Context RoutingContext context) {
        return store.errors(
                        query.filter(failed.given()),
                        part.page(LETTERS),
                        Caller.of(context).queues(Right.READ))
                .map(JsonAnswer::of);
    }

    @Audited
    @DELETE
    public Uni<Change> delete(
            @BeanParam DeadLetterQuery query,
            @BeanParam RangeQuery failed,
            @BeanParam DryRunQuery dry,
            @Context RoutingContext context) {
        DeadLetterStore.Filter filter = managed(query, failed, context);
        return dry.asked() ? dryRun(filter) : store.delete(filter).map(Deleted::new);
    }

    @Audited
    @POST
    @Path("/redrive")
    public Uni<Change> redrive(
            @BeanParam DeadLetterQuery query,
            @BeanParam RangeQuery failed,
            @BeanParam RedriveQuery how,
            @BeanParam DryRunQuery dry,
            byte[] body,
            @Context RoutingContext context) {
        DeadLetterReader.read(body, query, failed, how, dry);
        DeadLetterStore.Filter filter = managed(query, failed, context);
        boolean copies = how.toAllGroups();
        return dry.asked()
                ? dryRun(filter)
                : redrive.all(filter, copies).map(outcome -> new Redriven(true, outcome.redriven(), outcome.gone()));
    }

    private Uni<Change> dryRun(DeadLetterStore.Filter filter) {
        return store.count(filter).map(matching -> new DryRun(true, matching));
    }

    private static DeadLetterStore.Filter managed(DeadLetterQuery query, RangeQuery failed, RoutingContext context) {
        DeadLetterStore.Filter filter = query.filterOfOneQueue(failed.given());
        Caller.of(context).require(Right.MANAGE, filter.queue());
        return filter;
    }
}
