package io.queen.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.queen.database.DatabaseFailure;
import io.smallrye.common.vertx.ContextLocals;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes the spans: one for a request, and one for each call of the database, which many requests may share. */
@Singleton
public final class Tracing {
    /** Makes none. */
    public static final Tracing OFF = new Tracing(null);

    /** What a span may say of others: a batch has thousands of messages. */
    static final int MAX_LINKS = 128;

    private static final String CURRENT = RequestSpan.class.getName();

    private final Tracer tracer;

    @Inject
    Tracing(OpenTelemetry telemetry, @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean disabled) {
        this(disabled ? null : telemetry.getTracer("io.queen"));
    }

    private Tracing(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Runs the request in a span that continues the trace of the caller, if it has told one. */
    public <T> Uni<T> request(MessageWork work, RoutingContext context, Function<RequestSpan, Uni<T>> request) {
        if (tracer == null) {
            return request.apply(RequestSpan.NONE);
        }
        RequestSpan span = begin(work, context);
        try {
            return request.apply(span).onTermination().invoke((item, failure, gone) -> span.end(failure));
        } catch (RuntimeException e) {
            span.end(e);
            throw e;
        }
    }

    private RequestSpan begin(MessageWork work, RoutingContext context) {
        Context caller = W3CTraceContextPropagator.getInstance()
                .extract(Context.root(), context.request().headers(), TraceHeaders.OF_REQUEST);
        Span started = tracer.spanBuilder(work.label())
                .setParent(caller)
                .setSpanKind(work.kind())
                .startSpan();
        RequestSpan span = new RequestSpan(work, started);
        ContextLocals.put(CURRENT, span);
        return span;
    }

    /** That of the request which calls now. */
    public RequestSpan current() {
        return tracer != null && VertxContext.isOnDuplicatedContext()
                ? ContextLocals.get(CURRENT, RequestSpan.NONE)
                : RequestSpan.NONE;
    }

    /**
     * A call that answers all these requests. It is part of the trace of the first that is traced, and has links to the
     * others; when none is traced there is no span.
     */
    public <Q, T> Uni<T> batch(String operation, List<Q> requests, Function<Q, RequestSpan> spanOf, Uni<T> call) {
        if (tracer == null) {
            return call;
        }
        List<Span> traced = requests.stream()
                .map(request -> spanOf.apply(request).span())
                .filter(Span::isRecording)
                .limit(MAX_LINKS)
                .toList();
        if (traced.isEmpty()) {
            return call;
        }
        SpanBuilder builder = tracer.spanBuilder("batch " + operation)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(Context.root().with(traced.get(0)))
                .setAttribute("db.system.name", "postgresql")
                .setAttribute("queen.batch.requests", requests.size());
        traced.stream().skip(1).forEach(other -> builder.addLink(other.getSpanContext()));
        Span span = builder.startSpan();
        return call.onItemOrFailure().invoke((answers, failure) -> {
            if (failure != null) {
                RequestSpan.fail(span, DatabaseFailure.translate(failure));
                span.setAttribute("db.response.status_code", DatabaseFailure.state(failure));
            }
            span.end();
        });
    }
}
