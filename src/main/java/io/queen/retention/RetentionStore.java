package io.queen.retention;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The removal of what is old, in portions; who calls again and again decides on the pauses. */
public final class RetentionStore {
    private static final String QUEUES =
            "select q.id from queen.queues q where queen.expiry_seconds(q, $1) > 0 order by q.id";
    private static final String DUE = "select ids, last_name from queen.due_partitions_v1($1, $2, $3, $4)";
    private static final String REMOVE = "select removed, remaining from queen.remove_expired_v1($1, $2, $3, $4, $5)";
    private static final String IDLE = "select queue_name, removed from queen.remove_idle_partitions_v1($1, $2)";
    private static final String SUBSCRIPTIONS = "select queen.remove_idle_subscriptions_v1($1, $2, $3)";
    private static final String PRUNE = "select queen.prune_metrics_v1($1, $2)";

    /** Hours that the subscription to a queue that does not exist is kept after the last pop that asked for it. */
    private static final int SUBSCRIPTION_HOURS = 24;
    /** Of such subscriptions that many are kept at most. */
    public static final int SUBSCRIPTIONS_KEPT = 10_000;

    private static final int SUBSCRIPTION_PORTION = 50_000;

    private RetentionStore() {}

    /**
     * Partitions with something due.
     *
     * @param lastName where the next look goes on; null when all have been seen
     */
    public record Due(List<UUID> partitions, String lastName) {}

    /**
     * One portion.
     *
     * @param count messages removed; null when another server is at it
     * @param remaining partitions to call for again
     */
    public record Removed(Long count, List<UUID> remaining) {}

    /** The queues that have the option. */
    public static Uni<List<UUID>> queues(Connection connection, Expiry expiry) {
        return run(connection, QUEUES, Tuple.of(expiry.kind())).map(rows -> {
            List<UUID> ids = new ArrayList<>();
            rows.forEach(row -> ids.add(row.getUUID(0)));
            return ids;
        });
    }

    /** Looks at the next {@code limit} partitions of a queue, those after that name. */
    public static Uni<Due> due(Connection connection, Expiry expiry, UUID queue, String after, int limit) {
        return run(connection, DUE, Tuple.of(expiry.kind(), queue, after, limit))
                .map(rows -> rows.iterator().next())
                .map(row -> new Due(ids(row, 0), row.getString(1)));
    }

    /** Removes up to {@code limit} messages; {@code wait} waits for a partition that somebody writes to. */
    public static Uni<Removed> remove(
            Connection connection, Expiry expiry, OffsetDateTime run, List<UUID> partitions, int limit, boolean wait) {
        Tuple arguments = Tuple.of(expiry.kind(), run, partitions.toArray(UUID[]::new), limit, wait);
        return run(connection, REMOVE, arguments)
                .map(rows -> rows.iterator().next())
                .map(row -> new Removed(row.getLong(0), ids(row, 1)));
    }

    /** Removes up to {@code limit} empty partitions that got nothing for so many days; how many of each queue. */
    public static Uni<Map<String, Long>> removeIdle(Connection connection, int days, int limit) {
        return run(connection, IDLE, Tuple.of(days, limit)).map(rows -> {
            Map<String, Long> removed = new LinkedHashMap<>();
            rows.forEach(row -> removed.put(row.getString(0), row.getLong(1)));
            return removed;
        });
    }

    /** Removes subscriptions to queues and partitions that do not exist and are not asked for, or are too many. */
    public static Uni<Void> removeSubscriptions(Connection connection) {
        return run(connection, SUBSCRIPTIONS, Tuple.of(SUBSCRIPTION_HOURS, SUBSCRIPTIONS_KEPT, SUBSCRIPTION_PORTION))
                .map(rows -> rows.iterator().next().getInteger(0))
                .flatMap(removed ->
                        removed < SUBSCRIPTION_PORTION ? Uni.createFrom().voidItem() : removeSubscriptions(connection));
    }

    /** Removes figures older than so many days, up to {@code limit} rows of each table, and tells how many. */
    public static Uni<Long> prune(Connection connection, int days, int limit) {
        return run(connection, PRUNE, Tuple.of(days, limit))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static List<UUID> ids(Row row, int column) {
        UUID[] ids = row.getArrayOfUUIDs(column);
        return ids == null ? List.of() : List.of(ids);
    }

    private static Uni<RowSet<Row>> run(Connection connection, String sql, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(sql)
                .execute(arguments)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
