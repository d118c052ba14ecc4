package io.queen.admin.audit;

import io.queen.web.JsonAnswer;
import io.queen.web.QueryParams;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** What operators did. */
@Path("/api/v1/audit")
@Produces("application/json")
final class AuditResource {
    private static final int DEFAULT_ACTS = 100;
    /** With details an act may have 5 KB. */
    private static final int MAX_ACTS = 1000;

    private final AuditStore store;

    AuditResource(AuditStore store) {
        this.store = store;
    }

    @GET
    public Uni<RestResponse<byte[]>> list(
            @BeanParam RangeQuery range,
            @RestQuery String act,
            @RestQuery String subject,
            @RestQuery String queue,
            @RestQuery String after,
            @RestQuery String limit) {
        AuditStore.Filter filter = new AuditStore.Filter(
                range.given(), QueryParams.given(act), QueryParams.given(subject), QueryParams.name(queue, "queue"));
        int acts = QueryParams.between(1, QueryParams.number(limit, "limit", DEFAULT_ACTS), MAX_ACTS);
        return store.list(filter, AuditPosition.read(after), acts).map(JsonAnswer::of);
    }
}
