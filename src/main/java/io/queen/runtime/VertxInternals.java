package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.ArrayList;
import java.util.List;

/** What the interface of Vert.x does not offer: its event loops. An update of Vert.x may change what is called here. */
public final class VertxInternals {
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
}
