package io.queen.retention;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Removes messages that waited for longer than their queue allows. Any server may, one at a time does. */
@Singleton
final class Eviction {
    /** Until the next run when this one had to stop at its limit. */
    private static final long AT_ONCE_MS = 100;

    private final QueenConfig.Retention config;
    private final RetentionStore store;
    private final Schema schema;
    private final PeriodicTasks tasks;

    Eviction(QueenConfig config, RetentionStore store, Schema schema, PeriodicTasks tasks) {
        this.config = config.retention();
        this.store = store;
        this.schema = schema;
        this.tasks = tasks;
    }

    void start(@Observes StartupEvent event) {
        PeriodicTask task = tasks.paced(config.evictionInterval(), "Eviction fails", this::run)
                .sayingWhenBack("Eviction works again");
        schema.onReady(task::runNow);
    }

    private Uni<Long> run() {
        int limit = config.evictionBatchSize();
        return new Removal(store, Expiry.EVICTION, limit, limit)
                .run()
                .map(removed ->
                        removed < limit ? config.evictionInterval() : Math.min(AT_ONCE_MS, config.evictionInterval()));
    }
}
