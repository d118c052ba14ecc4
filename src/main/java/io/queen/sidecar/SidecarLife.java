package io.queen.sidecar;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.ConnectionBudget;
import io.queen.database.Schema;
import io.queen.runtime.EventLoops;
import io.smallrye.mutiny.TimeoutException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * The beginning and the end of all sidecars. Their connections are open before the port is, and have run each
 * statement once: the first request finds all warm.
 */
@Singleton
final class SidecarLife {
    private static final Logger LOG = Logger.getLogger(SidecarLife.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final EventLoops loops;
    private final Sidecar sidecar;
    private final Schema schema;
    private final ConnectionBudget budget;

    SidecarLife(EventLoops loops, Sidecar sidecar, Schema schema, QueenConfig config) {
        this.budget = ConnectionBudget.of(config);
        this.loops = loops;
        this.sidecar = sidecar;
        this.schema = schema;
    }

    /** After the schema, which has priority 1. */
    void start(@Observes @Priority(2) StartupEvent event) {
        budget.requireFor(loops.all().size());
        if (schema.ready()) {
            try {
                loops.onAll(sidecar::ready).await().atMost(LIMIT);
            } catch (TimeoutException e) {
                LOG.info("PostgreSQL is slow: the first requests will be too");
            }
        } else {
            // They ask for their connections before all others do.
            loops.onAll(sidecar::ready).subscribe().with(done -> {});
        }
    }

    void stop(@Observes ShutdownEvent event) {
        loops.runOnAll(sidecar::close).await().atMost(LIMIT);
    }
}
