package io.queen.retention;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** The removal of what is old, in portions; the caller repeats them, and decides on the pauses between. */
@Singleton
final class RetentionStore {
    private static final String QUEUES =
            "select q.id from queen.queues q where queen.expiry_seconds(q, $1) > 0 order by q.id";
    private static final String DUE = "select ids, last_name from queen.due_partitions_v1($1, $2, $3, $4)";
    private static final String REMOVE = "select removed, remaining from queen.remove_expired_v1($1, $2, $3, $4, $5)";
    private static final String IDLE = "select queue_name, removed from queen.remove_idle_partitions_v1($1, $2)";
    private static final String PRUNE = "select queen.prune_metrics_v1($1, $2)";
    private static final String PRUNE_AUDIT = "select queen.prune_audit_v1($1, $2)";
    private static final String TRIM = "select mark from queen.trim_push_log_v1($1)";

    private final Database database;

    RetentionStore(Database database) {
        this.database = database;
    }

    /**
     * Partitions with something due.
     *
     * @param lastName where the next look goes on; null when all have been seen
     */
    record Due(List<UUID> partitions, String lastName) {}

    /**
     * One portion.
     *
     * @param count messages removed; null when another server is at it
     * @param remaining partitions to call for again
     */
    record Removed(Long count, List<UUID> remaining) {}

    /** Partitions removed from a queue. */
    record IdlePartitions(String queue, long count) {}

    /** The queues that have the option. */
    Uni<List<UUID>> queues(Expiry expiry) {
        return database.list(QUEUES, row -> row.getUUID(0), expiry.kind());
    }

    /** Looks at the next {@code limit} partitions of a queue, those after that name. */
    Uni<Due> due(Expiry expiry, UUID queue, String after, int limit) {
        return database.one(DUE, row -> new Due(ids(row, 0), row.getString(1)), expiry.kind(), queue, after, limit);
    }

    /** Removes up to {@code limit} messages; {@code wait} waits for a partition that is being written to. */
    Uni<Removed> remove(Expiry expiry, OffsetDateTime run, List<UUID> partitions, int limit, boolean wait) {
        return database.one(
                REMOVE,
                row -> new Removed(row.getLong(0), ids(row, 1)),
                expiry.kind(),
                run,
                partitions.toArray(UUID[]::new),
                limit,
                wait);
    }

    /** Removes up to {@code limit} empty partitions that got nothing for so many days. */
    Uni<List<IdlePartitions>> removeIdle(int days, int limit) {
        return database.list(IDLE, row -> new IdlePartitions(row.getString(0), row.getLong(1)), days, limit);
    }

    /** Removes metrics older than so many days, up to {@code limit} rows of each table, and tells how many. */
    Uni<Long> prune(int days, int limit) {
        return database.one(PRUNE, row -> row.getLong(0), days, limit);
    }

    /** Removes acts older than so many days, up to {@code limit}, and tells how many. */
    Uni<Long> pruneAudit(int days, int limit) {
        return database.one(PRUNE_AUDIT, row -> row.getLong(0), days, limit);
    }

    /** Removes what lies before the mark in the push log, null for nothing, and gives the mark of now. */
    Uni<String> trimPushLog(String before) {
        return database.one(TRIM, row -> row.getString(0), before);
    }

    private static List<UUID> ids(Row row, int column) {
        UUID[] ids = row.getArrayOfUUIDs(column);
        return ids == null ? List.of() : List.of(ids);
    }
}
