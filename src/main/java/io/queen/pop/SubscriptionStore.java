package io.queen.pop;

import io.queen.database.Queries;
import io.smallrye.mutiny.Uni;
import java.time.OffsetDateTime;

/** Where groups start, as it is recorded. */
public final class SubscriptionStore {
    /**
     * Not waiting for the disk: what a record decides about are messages of later commits, and PostgreSQL writes its log in
     * order. When the record is lost in a crash, so are they, and their pushes were not answered.
     */
    private static final String SUBSCRIBE =
            "select queen.pop_sm_subscribe($1, $2, $3, $4, $5)" + " from set_config('synchronous_commit', 'off', true)";

    private static final String REMOVE_IDLE = "select queen.remove_idle_subscriptions_v1($1, $2, $3)";

    /** Hours that the subscription to a queue that does not exist is kept after the last pop that asked for it. */
    private static final int KEPT_HOURS = 24;
    /** Of such subscriptions that many are kept at most. */
    static final int KEPT = 10_000;

    private static final int PORTION = 50_000;

    private SubscriptionStore() {}

    /**
     * Records where a group starts, if no pop did before; {@code partition} is empty for the whole queue. True when that
     * left a record for a queue that does not exist.
     */
    static Uni<Boolean> subscribe(
            Queries database, String queue, String group, String partition, boolean isNew, OffsetDateTime time) {
        String mode = isNew ? "new" : "timestamp";
        return database.one(SUBSCRIBE, row -> row.getBoolean(0), queue, group, partition, mode, time);
    }

    /** Removes subscriptions to queues and partitions that do not exist and are not asked for, or are too many. */
    public static Uni<Void> removeIdle(Queries database) {
        return database.one(REMOVE_IDLE, row -> row.getInteger(0), KEPT_HOURS, KEPT, PORTION)
                .flatMap(removed -> removed < PORTION ? Uni.createFrom().voidItem() : removeIdle(database));
    }
}
