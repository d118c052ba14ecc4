package io.queen.sidecar;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** The event loops that serve HTTP, each of which has a sidecar. */
@Singleton
final class EventLoops {
    private final List<EventLoop> loops = new ArrayList<>();

    EventLoops(Vertx vertx) {
        for (EventExecutor executor : ((VertxInternal) vertx).getEventLoopGroup()) {
            loops.add((EventLoop) executor);
        }
    }

    List<EventLoop> all() {
        return loops;
    }

    /** The part of one loop in something that is split over all: at least one. */
    int share(int total) {
        return Math.max(1, total / loops.size());
    }
}
