package io.queen.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.queen.config.Stopping;
import io.queen.message.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * What holds for every path, before and beside the resources: CORS headers, the answer to a preflight, the limit of a
 * body, and the error body for what no resource has seen.
 */
@Singleton
final class Routes {
    private static final String PROMETHEUS = "/metrics/prometheus";
    private static final int[] STATUSES = {400, 404, 405, 406, 413, 415, 501};

    /** What a body in chunks counts as, which does not tell its length. */
    private static final long UNKNOWN_LENGTH = 1 << 20;

    private final long maxBodySize;
    private final Intake intake;
    private final Stopping stopping;

    Routes(
            @ConfigProperty(name = "queen.http.max-body-size") MemorySize maxBodySize,
            Intake intake,
            Stopping stopping) {
        this.stopping = stopping;
        this.maxBodySize = maxBodySize.asLongValue();
        this.intake = intake;
    }

    void register(@Observes Router router) {
        // With a path, so that metrics count preflights together and not by whatever path they ask for.
        router.options("/*").order(Integer.MIN_VALUE).handler(Routes::preflight);
        router.get(PROMETHEUS).order(Integer.MIN_VALUE).handler(Routes::prometheus);
        router.route().order(Integer.MIN_VALUE + 1).handler(this::before).failureHandler(this::failed);
        for (int status : STATUSES) {
            router.errorHandler(status, this::failed);
        }
    }

    private static void preflight(RoutingContext context) {
        Cors.addHeaders(context);
        context.response().setStatusCode(204).end();
    }

    /** Micrometer would answer in the newer OpenMetrics format to who accepts anything; the contract is the older. */
    private static void prometheus(RoutingContext context) {
        context.request().headers().set(HttpHeaders.ACCEPT, "text/plain");
        context.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        context.next();
    }

    private void before(RoutingContext context) {
        if (!PROMETHEUS.equals(path(context))) {
            Cors.addHeaders(context);
        }
        if (stopping.begun() && path(context).startsWith("/api/")) {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            send(context, Problem.of(ErrorCode.STOPPING, "The server is stopping, ask another one", path(context)));
        } else {
            takeIn(context);
        }
    }

    private void takeIn(RoutingContext context) {
        long length = length(context.request());
        if (length == 0) {
            context.next();
        } else if (length > maxBodySize) {
            refuseBody(context, ErrorCode.BODY_TOO_LARGE, "The body is larger than " + maxBodySize + " bytes");
        } else if (intake.admits(length)) {
            context.addEndHandler(ended -> intake.done(length));
            context.next();
        } else {
            refuseBody(context, ErrorCode.OVERLOADED, "Too much is being taken in, try again soon");
        }
    }

    /** Bytes of the body; nonsense is left to who reads it. */
    private static long length(HttpServerRequest request) {
        String given = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return given != null ? Math.max(0, Long.parseLong(given)) : inChunks(request) ? UNKNOWN_LENGTH : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static boolean inChunks(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Many clients read an answer only when they have sent all: the rest is taken and thrown away, then it ends. */
    private static void refuseBody(RoutingContext context, ErrorCode code, String detail) {
        context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        send(context, Problem.of(code, detail, path(context)));
        context.request().resume();
    }

    private void failed(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure == null) {
            answer(context, context.statusCode() < 0 ? 404 : context.statusCode());
        } else {
            send(context, Failures.problem(failure, context.request().method().name(), path(context)));
        }
    }

    private static void answer(RoutingContext context, int status) {
        send(context, Failures.ofStatus(status, context.request().method().name(), path(context)));
    }

    private static String path(RoutingContext context) {
        return context.request().path();
    }

    private static void send(RoutingContext context, Problem problem) {
        HttpServerResponse response = context.response();
        if (response.headWritten()) {
            context.request().connection().close();
            return;
        }
        if (problem.code().retryable()) {
            response.putHeader(HttpHeaders.createOptimized("Retry-After"), Problem.RETRY_AFTER_SECONDS);
        }
        response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.CONTENT_TYPE)
                .end(Json.encode(problem));
    }
}
