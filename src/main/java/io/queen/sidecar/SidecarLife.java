package io.queen.sidecar;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.ConnectionBudget;
import io.queen.database.Schema;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ClientGone;
import io.queen.runtime.EventLoops;
import io.queen.runtime.Stopping;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The beginning and the end of all sidecars. Their connections are open before the port is, and each has popped once: the
 * first request finds all warm.
 */
@Singleton
final class SidecarLife {
    private static final Logger LOG = Logger.getLogger(SidecarLife.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final PopRequest NOTHING =
            new PopRequest(new PopTarget.Partition("", ""), Ack.QUEUE_MODE, 1, 1, false, null, null, null);

    private final EventLoops loops;
    private final Sidecar sidecar;
    private final Schema schema;
    private final Stopping stopping;
    private final ConnectionBudget budget;

    SidecarLife(EventLoops loops, Sidecar sidecar, Schema schema, Stopping stopping, QueenConfig config) {
        this.budget = ConnectionBudget.of(config);
        this.stopping = stopping;
        this.loops = loops;
        this.sidecar = sidecar;
        this.schema = schema;
    }

    /** After the schema, which has priority 1. */
    void start(@Observes @Priority(2) StartupEvent event) {
        budget.requireFor(loops.all().size());
        stopping.onBegin(() -> everywhere(sidecar::endWaits).subscribe().with(done -> {}));
        if (schema.ready()) {
            try {
                all(this::warm).await().atMost(LIMIT);
            } catch (TimeoutException e) {
                LOG.info("PostgreSQL is slow: the first requests will be too");
            }
        } else {
            // They ask for their connections before anybody else does.
            all(sidecar::ready).subscribe().with(done -> {});
        }
    }

    private Uni<Void> warm() {
        return sidecar.ready()
                .flatMap(done -> sidecar.pop(NOTHING, 0, ClientGone.NEVER))
                .replaceWithVoid();
    }

    void stop(@Observes ShutdownEvent event) {
        everywhere(sidecar::close).await().atMost(LIMIT);
    }

    /** Runs the task on each loop. */
    private Uni<Void> everywhere(Runnable task) {
        return all(() -> Uni.createFrom().item(() -> {
            task.run();
            return null;
        }));
    }

    /** Done when the task is, on each loop. */
    private Uni<Void> all(Supplier<Uni<Void>> task) {
        List<Uni<Void>> done =
                loops.all().stream().map(loop -> loops.on(loop, task)).toList();
        return Uni.join().all(done).andFailFast().replaceWithVoid();
    }
}
