package io.queen.runtime;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.http.impl.HttpServerRequestWrapper;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the interface of Vert.x does not offer: its event loops, and what a connection is made of. An update of Vert.x may
 * change what is called here.
 */
public final class VertxInternals {
    /** The handler of Vert.x in a pipeline. */
    private static final String HANDLER = "handler";

    private VertxInternals() {}

    /** Those that serve connections. */
    static List<EventLoop> loops(Vertx vertx) {
        List<EventLoop> loops = new ArrayList<>();
        ((VertxInternal) vertx).getEventLoopGroup().forEach(loop -> loops.add((EventLoop) loop));
        return loops;
    }

    /** Those that accept connections. */
    public static Iterable<EventExecutor> acceptors(Vertx vertx) {
        return ((VertxInternal) vertx).getAcceptorEventLoopGroup();
    }

    /** The loop that the caller runs on; null when it runs on none. */
    static EventLoop currentLoop() {
        ContextInternal context = (ContextInternal) Vertx.currentContext();
        return context == null || !context.isEventLoopContext() ? null : context.nettyEventLoop();
    }

    /** A context of its own on the loop. */
    static Context context(Vertx vertx, EventLoop loop) {
        ClassLoader classes = VertxInternals.class.getClassLoader();
        return ((VertxInternal) vertx).createEventLoopContext(loop, null, classes);
    }

    /** The handler of that type in a connection; null when it has none. */
    public static <H extends ChannelHandler> H handler(HttpConnection connection, Class<H> type) {
        return ((ConnectionBase) connection).channelHandlerContext().pipeline().get(type);
    }

    /**
     * Puts the handler in front of that of Vert.x, and hands it requests that are not HTTP; nothing happens in a
     * connection that Vert.x has not built for HTTP/1.
     */
    public static <H extends ChannelHandler & Handler<HttpServerRequest>> void guard(
            ChannelPipeline pipeline, String name, Supplier<H> gate, Handler<Throwable> onFailure) {
        if (pipeline.get(HANDLER) instanceof VertxHandler<?> handler
                && handler.getConnection() instanceof Http1xServerConnection connection) {
            H made = gate.get();
            connection.invalidRequestHandler(made);
            connection.exceptionHandler(onFailure);
            pipeline.addBefore(HANDLER, name, made);
        }
    }

    /**
     * A request of HTTP/2 that may be paused and resumed when it has been read, as one of HTTP/1 may; true when the handler
     * has got it. False for others, and for what the handler hands back: that is such a request already.
     */
    public static boolean relax(HttpServerRequest request, Handler<HttpServerRequest> handler) {
        if (request.version() != HttpVersion.HTTP_2 || isRelaxed((ContextInternal) Vertx.currentContext())) {
            return false;
        }
        handler.handle(new RelaxedRequest((HttpServerRequestInternal) request));
        return true;
    }

    /** Each request has a context of its own, which remembers it. */
    private static boolean isRelaxed(ContextInternal context) {
        return context.localContextData().putIfAbsent(RelaxedRequest.class, true) != null;
    }

    private static final class RelaxedRequest extends HttpServerRequestWrapper {
        RelaxedRequest(HttpServerRequestInternal request) {
            super(request);
        }

        @Override
        public HttpServerRequest pause() {
            return isEnded() ? this : super.pause();
        }

        @Override
        public HttpServerRequest resume() {
            return isEnded() ? this : super.resume();
        }

        @Override
        public HttpServerRequest fetch(long amount) {
            return isEnded() ? this : super.fetch(amount);
        }
    }

    /** Whether the failure is a text alone, as when a pool has no connection in time. */
    public static boolean isText(Throwable failure) {
        return failure instanceof NoStackTraceThrowable;
    }
}
