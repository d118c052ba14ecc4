package io.queen.retention;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.pop.SubscriptionStore;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
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
    private final Database database;
    private final Schema schema;
    private final PeriodicTasks tasks;
    private final CounterRegistry tallies;

    Retention(QueenConfig config, Database database, Schema schema, PeriodicTasks tasks, CounterRegistry tallies) {
        this.tallies = tallies;
        this.config = config.retention();
        this.database = database;
        this.schema = schema;
        this.tasks = tasks;
    }

    void start(@Observes StartupEvent event) {
        PeriodicTask task =
                tasks.every(config.interval(), "Retention fails", this::run).sayingWhenBack("Retention works again");
        schema.onReady(task::runNow);
    }

    private Uni<Void> run() {
        return remove(Expiry.RETENTION)
                .flatMap(done -> remove(Expiry.COMPLETED))
                .flatMap(done -> removeIdle())
                .flatMap(done -> SubscriptionStore.removeIdle(database))
                .flatMap(done -> prune());
    }

    private Uni<Long> remove(Expiry expiry) {
        return new Removal(database, expiry, config.batchSize(), Long.MAX_VALUE).run();
    }

    private Uni<Void> removeIdle() {
        return RetentionStore.removeIdle(database, config.partitionCleanupDays(), PARTITIONS)
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
        return RetentionStore.prune(database, config.metricsDays(), config.batchSize())
                .flatMap(rows -> rows < config.batchSize() ? Uni.createFrom().voidItem() : prune());
    }
}
