package io.queen.web;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.origin.Cors;
import io.queen.origin.OriginCheck;
import io.queen.runtime.Stopping;
import io.queen.runtime.VertxInternals;
import io.smallrye.common.vertx.ContextLocals;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * What holds for every path, before and beside the resources: CORS headers, the check of the origin, the
 * {@link RequestGate} asked, the body taken in, the answer to a preflight, and the error body for what no resource has
 * seen.
 */
@Singleton
final class Routes implements RequestGate.Door {
    private static final String PROMETHEUS = "/metrics/prometheus";
    /** Where Quarkus looks for the template of a path when it counts a request. */
    private static final String METRICS_PATH = "UrlPathTemplate";

    private static final int[] STATUSES = {400, 404, 405, 406, 413, 415, 501};

    private final BodyReceiver bodies;
    private final Stopping stopping;
    private final Cors cors;
    private final OriginCheck origins;
    private final RequestGate gate;

    Routes(BodyReceiver bodies, Stopping stopping, Cors cors, OriginCheck origins, RequestGate gate) {
        this.bodies = bodies;
        this.stopping = stopping;
        this.cors = cors;
        this.origins = origins;
        this.gate = gate;
    }

    void register(@Observes Router router) {
        router.route()
                .order(Integer.MIN_VALUE)
                .handler(context -> {
                    // RESTEasy pauses every request, also one whose body is here, which HTTP/2 refuses.
                    if (!VertxInternals.relax(context.request(), router)) {
                        before(context);
                    }
                })
                .failureHandler(context -> failed(context, context.statusCode()));
        // With a path, so that metrics count preflights together and not by whatever path they ask for.
        router.options("/*").order(Integer.MIN_VALUE + 1).handler(this::preflight);
        router.get(PROMETHEUS).order(Integer.MIN_VALUE + 1).handler(Routes::prometheus);
        for (int status : STATUSES) {
            router.errorHandler(status, context -> failed(context, status));
        }
    }

    private void preflight(RoutingContext context) {
        cors.addHeaders(context.request()); // those of Prometheus too
        context.response().setStatusCode(204).end();
    }

    /** Micrometer would answer in the newer OpenMetrics format to clients that accept anything; the contract is the older. */
    private static void prometheus(RoutingContext context) {
        context.request().headers().set(HttpHeaders.ACCEPT, "text/plain");
        context.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        context.next();
    }

    private void before(RoutingContext context) {
        if (!PROMETHEUS.equals(path(context))) {
            cors.addHeaders(context.request());
        }
        String foreign = origins.flaw(context.request());
        if (foreign != null) {
            turnAway(context, Problem.of(ErrorCode.FOREIGN_ORIGIN, foreign, path(context)));
            return;
        }
        if (stopping.begun() && path(context).startsWith("/api/")) {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            bodies.refuse(
                    context, Problem.of(ErrorCode.STOPPING, "The server is stopping, ask another one", path(context)));
        } else {
            gate.ask(context, this);
        }
    }

    @Override
    public void open(RoutingContext context) {
        bodies.receive(context);
    }

    @Override
    public void refuse(RoutingContext context, QueenException reason) {
        turnAway(context, Problem.of(reason, path(context)));
    }

    /** For a caller that is not let in: metrics count it under one path, whatever path it asks for. */
    private void turnAway(RoutingContext context, Problem problem) {
        ContextLocals.put(METRICS_PATH, "/*");
        bodies.refuse(context, problem);
    }

    /** The status is what the router says, which knows no more; a failure of ours says all itself. */
    private void failed(RoutingContext context, int status) {
        Throwable failure = context.failure();
        String method = context.request().method().name();
        boolean ofTheRouter = failure == null || (status < 500 && !(failure instanceof QueenException));
        Problem problem = ofTheRouter
                ? ErrorMapper.ofStatus(status, method, path(context))
                : ErrorMapper.problem(failure, method, path(context));
        if (context.response().headWritten()) {
            context.request().connection().close();
        } else {
            bodies.refuse(context, problem);
        }
    }

    private static String path(RoutingContext context) {
        return context.request().path();
    }
}
