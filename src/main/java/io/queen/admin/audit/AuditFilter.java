package io.queen.admin.audit;

import io.queen.security.Caller;
import io.queen.web.ApiRoutes;
import io.queen.web.Audited;
import io.queen.web.BodyFilter;
import io.queen.web.NothingDone;
import io.queen.web.Problem;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** Sees the answers to all {@link Audited} requests, good and bad: a line in the log, and a row in the table. */
@Singleton
final class AuditFilter {
    private static final Logger LOG = Logger.getLogger(AuditFilter.class);
    private static final String REQUEST_ID = "X-Request-Id";
    private static final String NO_ADDRESS = "local";
    private static final Set<String> NAMES =
            Set.of("queue", "partition", "partitionId", "group", "consumerGroup", "transactionId");

    private final ApiRoutes routes;
    private final Instance<AuditWriter> writer;

    /** Made before there are settings: what needs some is asked for later. */
    AuditFilter(ApiRoutes routes, Instance<AuditWriter> writer) {
        this.routes = routes;
        this.writer = writer;
    }

    @Audited
    @ServerResponseFilter
    void answered(ContainerResponseContext answer, RoutingContext context) {
        if (answer.getEntity() instanceof NothingDone) {
            return;
        }
        Act act = act(CurrentRequestManager.get(), answer, context);
        LOG.info("Audit " + act.line());
        writer.get().add(act);
    }

    private Act act(ResteasyReactiveRequestContext request, ContainerResponseContext answer, RoutingContext context) {
        ActObject object = new ActObject(
                NAMES,
                name -> request.getPathParameter(name, false),
                name -> context.queryParams().get(name),
                BodyFilter.again(request));
        return new Act(
                UUID.randomUUID(),
                OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS),
                routes.operationId(request.getTarget()),
                answer.getStatus(),
                answer.getEntity() instanceof Problem problem ? problem.code().name() : null,
                ActObject.clean(Caller.of(context).subject()),
                address(context),
                ActObject.clean(context.request().getHeader(REQUEST_ID)),
                object.text("queue"),
                object.text("partition", "partitionId"),
                object.text("group", "consumerGroup"),
                object.text("transactionId"),
                object.details());
    }

    /** That of the connection: what a header says is believed only when Quarkus was told which proxies to trust. */
    private static String address(RoutingContext context) {
        SocketAddress remote = context.request().remoteAddress();
        return remote == null || remote.hostAddress() == null ? NO_ADDRESS : remote.hostAddress();
    }
}
