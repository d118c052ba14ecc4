package io.queen.retention;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.runtime.PeriodicTask;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Removes messages that are too old, partitions and subscriptions that nobody uses, and old figures. Any server may, one
 * at a time does.
 */
@Singleton
final class Retention {
    private static final Logger LOG = Logger.getLogger(Retention.class);
    /** Idle partitions of one portion: each takes the rows of its groups along. */
    private static final int PARTITIONS = 100;

    private final QueenConfig.Retention config;
    private final Connection connection;
    private final Schema schema;
    private final PeriodicTask cycle;
    private final CounterRegistry tallies;

    Retention(
            QueenConfig config,
            Database database,
            Schema schema,
            Vertx vertx,
            CounterRegistry tallies,
            Complaints complaints) {
        this.tallies = tallies;
        this.config = config.retention();
        this.connection = database.general();
        this.schema = schema;
        this.cycle = new PeriodicTask(vertx, "Retention", complaints, this::run);
    }

    void start(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> cycle.start(config.interval()));
    }

    void stop(@Observes ShutdownEvent event) {
        cycle.stop();
    }

    private Uni<Long> run() {
        return remove(Expiry.RETENTION)
                .flatMap(done -> remove(Expiry.COMPLETED))
                .flatMap(done -> removeIdle())
                .flatMap(done -> RetentionStore.removeSubscriptions(connection))
                .flatMap(done -> prune())
                .replaceWith((long) config.interval());
    }

    private Uni<Long> remove(Expiry expiry) {
        return new Removal(connection, expiry, config.batchSize(), Long.MAX_VALUE).run();
    }

    private Uni<Void> removeIdle() {
        return RetentionStore.removeIdle(connection, config.partitionCleanupDays(), PARTITIONS)
                .flatMap(removed ->
                        count(removed) < PARTITIONS ? Uni.createFrom().voidItem() : removeIdle());
    }

    private long count(Map<String, Long> removed) {
        removed.forEach((queue, count) -> {
            LOG.infof("Removed %d idle partitions of queue %s", count, queue);
            tallies.of(queue).add(CounterKind.PARTITIONS_DELETED, count);
        });
        return removed.values().stream().mapToLong(Long::longValue).sum();
    }

    private Uni<Void> prune() {
        return RetentionStore.prune(connection, config.metricsDays(), config.batchSize())
                .flatMap(rows -> rows < config.batchSize() ? Uni.createFrom().voidItem() : prune());
    }
}
