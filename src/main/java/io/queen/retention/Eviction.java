package io.queen.retention;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.runtime.PeriodicTask;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Removes messages that waited for longer than their queue allows. Any server may, one at a time does. */
@Singleton
final class Eviction {
    /** Until the next run when this one had to stop at its limit. */
    private static final long AT_ONCE_MS = 100;

    private final QueenConfig.Retention config;
    private final Connection connection;
    private final Schema schema;
    private final PeriodicTask cycle;

    Eviction(QueenConfig config, Database database, Schema schema, Vertx vertx, Complaints complaints) {
        this.config = config.retention();
        this.connection = database.general();
        this.schema = schema;
        this.cycle = new PeriodicTask(vertx, "Eviction", complaints, this::run);
    }

    void start(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> cycle.start(config.evictionInterval()));
    }

    void stop(@Observes ShutdownEvent event) {
        cycle.stop();
    }

    private Uni<Long> run() {
        int limit = config.evictionBatchSize();
        return new Removal(connection, Expiry.EVICTION, limit, limit)
                .run()
                .map(removed ->
                        removed < limit ? config.evictionInterval() : Math.min(AT_ONCE_MS, config.evictionInterval()));
    }
}
