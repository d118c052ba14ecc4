package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Supplier;

/** The event loops that serve HTTP, each of which has a sidecar. */
@Singleton
public final class EventLoops {
    private final Vertx vertx;
    private final List<EventLoop> loops;

    public EventLoops(Vertx vertx) {
        this.vertx = vertx;
        this.loops = VertxInternals.loops(vertx);
    }

    public List<EventLoop> all() {
        return loops;
    }

    /** Runs the task on the loop; the answer comes there. */
    public <T> Uni<T> on(EventLoop loop, Supplier<Uni<T>> task) {
        Context context = VertxInternals.context(vertx, loop);
        return Uni.createFrom()
                .emitter(emitter -> context.runOnContext(ignored ->
                        Uni.createFrom().deferred(task::get).subscribe().with(emitter::complete, emitter::fail)));
    }

    /** Done when the task is, on each loop. */
    public Uni<Void> onAll(Supplier<Uni<Void>> task) {
        return Uni.join()
                .all(loops.stream().map(loop -> on(loop, task)).toList())
                .andFailFast()
                .replaceWithVoid();
    }

    /** Runs the task on each loop. */
    public Uni<Void> runOnAll(Runnable task) {
        return onAll(() -> Uni.createFrom().item(() -> {
            task.run();
            return null;
        }));
    }

    /** The part of one loop in something that is split over all: at least one. */
    public int share(int total) {
        return Math.max(1, total / loops.size());
    }
}
