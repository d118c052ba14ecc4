package io.queen.stream;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Schema;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.queen.stream.QueryStore.Position;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Function;

/**
 * Removes state that is not needed any more: of queries that were reset or deleted, of partitions that are gone, and keys that
 * no cycle wrote for as long as their query keeps them. In portions of their own transaction with a pause between them, as
 * often as retention runs and after each reset and deletion. Any server may, one at a time does.
 */
@Singleton
final class StreamSweep {
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final QueryStore store;
    private final QueenConfig.Retention config;
    private final Schema schema;
    private final PeriodicTask task;

    StreamSweep(QueryStore store, QueenConfig config, Schema schema, PeriodicTasks tasks) {
        this.store = store;
        this.config = config.retention();
        this.schema = schema;
        this.task = tasks.every(this.config.interval(), "State of streams is not removed", this::run)
                .sayingWhenBack("State of streams is removed again");
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(task::runNow);
    }

    /** There is something to remove. */
    void soon() {
        task.runNow();
    }

    private Uni<Void> run() {
        return portions(QueryStore.START, from -> store.sweepState(from, config.batchSize()))
                .flatMap(done -> portions(QueryStore.START, from -> store.sweepPartitions(from, config.batchSize())));
    }

    private static Uni<Void> portions(Position from, Function<Position, Uni<Position>> portion) {
        return portion.apply(from)
                .onItem()
                .delayIt()
                .by(PAUSE)
                .flatMap(next -> next == null ? Uni.createFrom().voidItem() : portions(next, portion));
    }
}
