package io.queen.retention;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.CounterKind;
import io.queen.metrics.CounterRegistry;
import io.queen.pop.SubscriptionStore;
import io.queen.retention.RetentionStore.IdlePartitions;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Removes messages that are too old or waited for too long, partitions and subscriptions that are not used, old metrics and acts,
 * and the end of the push log. Any server may, one at a time does.
 */
@Singleton
final class Retention {
    private static final Logger LOG = Logger.getLogger(Retention.class);
    /** Idle partitions of one portion: each takes the rows of its groups along. */
    private static final int PARTITIONS = 100;
    /** Until the next eviction when one had to stop at its limit. */
    private static final long AT_ONCE_MS = 100;
    /** No server asks the push log for what is older than a minute. */
    private static final long TRIM_EVERY_MS = 10_000;
    /** Marks that are kept: six of ten seconds each, twice as long as ready partitions trust their own mark. */
    private static final int MARKS = 6;

    private final QueenConfig.Retention config;
    private final Database database;
    private final RetentionStore store;
    private final Schema schema;
    private final PeriodicTasks tasks;
    private final CounterRegistry counters;
    private final Deque<String> marks = new ArrayDeque<>();

    Retention(
            QueenConfig config,
            Database database,
            RetentionStore store,
            Schema schema,
            PeriodicTasks tasks,
            CounterRegistry counters) {
        this.config = config.retention();
        this.database = database;
        this.store = store;
        this.schema = schema;
        this.tasks = tasks;
        this.counters = counters;
    }

    void start(@Observes StartupEvent event) {
        PeriodicTask retention =
                tasks.every(config.interval(), "Retention fails", this::run).sayingWhenBack("Retention works again");
        PeriodicTask eviction = tasks.paced(config.evictionInterval(), "Eviction fails", this::evict)
                .sayingWhenBack("Eviction works again");
        PeriodicTask trim = tasks.every(TRIM_EVERY_MS, "The push log is not trimmed", this::trim);
        schema.onReady(() -> {
            retention.runNow();
            eviction.runNow();
            trim.start();
        });
    }

    private Uni<Void> run() {
        return remove(Expiry.RETENTION)
                .flatMap(done -> remove(Expiry.COMPLETED))
                .flatMap(done -> removeIdle())
                .flatMap(done -> SubscriptionStore.removeIdle(database))
                .flatMap(done -> prune())
                .flatMap(done -> pruneAudit());
    }

    private Uni<Long> remove(Expiry expiry) {
        return new Removal(store, expiry, config.batchSize(), Long.MAX_VALUE).run();
    }

    private Uni<Void> removeIdle() {
        return store.removeIdle(config.partitionCleanupDays(), PARTITIONS)
                .flatMap(removed ->
                        count(removed) < PARTITIONS ? Uni.createFrom().voidItem() : removeIdle());
    }

    private long count(List<IdlePartitions> removed) {
        for (IdlePartitions idle : removed) {
            LOG.infof("Removed %d idle partitions of queue %s", idle.count(), idle.queue());
            counters.of(idle.queue()).add(CounterKind.PARTITIONS_DELETED, idle.count());
        }
        return removed.stream().mapToLong(IdlePartitions::count).sum();
    }

    private Uni<Void> prune() {
        return store.prune(config.metricsDays(), config.batchSize())
                .flatMap(rows -> rows < config.batchSize() ? Uni.createFrom().voidItem() : prune());
    }

    private Uni<Void> pruneAudit() {
        if (config.auditDays() == 0) {
            return Uni.createFrom().voidItem();
        }
        return store.pruneAudit(config.auditDays(), config.batchSize())
                .flatMap(rows -> rows < config.batchSize() ? Uni.createFrom().voidItem() : pruneAudit());
    }

    /** Gives the milliseconds until the next. */
    private Uni<Long> evict() {
        int limit = config.evictionBatchSize();
        long pause = config.evictionInterval();
        return new Removal(store, Expiry.EVICTION, limit, limit)
                .run()
                .map(removed -> removed < limit ? pause : Math.min(AT_ONCE_MS, pause));
    }

    private Uni<String> trim() {
        return store.trimPushLog(marks.size() < MARKS ? null : marks.pollFirst())
                .invoke(marks::addLast);
    }
}
