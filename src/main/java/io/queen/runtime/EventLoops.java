package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The event loops that serve HTTP, each of which has a sidecar. */
@Singleton
public final class EventLoops {
    private final VertxInternal vertx;
    private final List<EventLoop> loops = new ArrayList<>();

    public EventLoops(Vertx vertx) {
        this.vertx = (VertxInternal) vertx;
        for (EventExecutor executor : this.vertx.getEventLoopGroup()) {
            loops.add((EventLoop) executor);
        }
    }

    public List<EventLoop> all() {
        return loops;
    }

    /** Runs the task on the loop; the answer comes there. */
    public <T> Uni<T> on(EventLoop loop, Supplier<Uni<T>> task) {
        ContextInternal context =
                vertx.createEventLoopContext(loop, null, getClass().getClassLoader());
        return Uni.createFrom()
                .emitter(emitter -> context.runOnContext(ignored ->
                        Uni.createFrom().deferred(task::get).subscribe().with(emitter::complete, emitter::fail)));
    }

    /** The part of one loop in something that is split over all: at least one. */
    public int share(int total) {
        return Math.max(1, total / loops.size());
    }
}
