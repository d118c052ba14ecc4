package io.queen.sidecar;

import io.netty.channel.EventLoop;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.Departure;
import io.queen.store.Schema;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * The beginning and the end of all sidecars. Their connections are open before the port is, and each has popped once: the
 * first request finds all warm.
 */
@Singleton
final class SidecarLife {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final PopRequest NOTHING =
            new PopRequest(new PopTarget.Partition("", ""), Ack.QUEUE_MODE, 1, 1, false, null, null);

    private final EventLoops loops;
    private final Sidecar sidecar;
    private final Schema schema;

    SidecarLife(EventLoops loops, Sidecar sidecar, Schema schema) {
        this.loops = loops;
        this.sidecar = sidecar;
        this.schema = schema;
    }

    /** After the schema, which has priority 1. */
    void start(@Observes @Priority(2) StartupEvent event) {
        if (schema.ready()) {
            List<Uni<Void>> ready = loops.all().stream().map(this::open).toList();
            Uni.join().all(ready).andFailFast().await().atMost(LIMIT);
        }
    }

    private Uni<Void> open(EventLoop loop) {
        return loops.on(
                loop,
                () -> sidecar.ready()
                        .flatMap(done -> sidecar.pop(NOTHING, 0, Departure.NEVER))
                        .replaceWithVoid());
    }

    void stop(@Observes ShutdownEvent event) {
        List<Uni<Void>> closed = loops.all().stream()
                .map(loop -> loops.on(loop, () -> {
                    sidecar.close();
                    return Uni.createFrom().voidItem();
                }))
                .toList();
        Uni.join().all(closed).andFailFast().await().atMost(LIMIT);
    }
}
