package io.queen.admin.queue;

import io.queen.database.Queries;
import io.smallrye.mutiny.Uni;

/** What an autoscaler asks. */
public final class ScalingStore {
    private static final String LAG = "select queen.queue_lag_v1($1, $2)";

    private ScalingStore() {}

    /** How far the group is behind on the queue, as JSON text. */
    public static Uni<String> lag(Queries database, String queue, String group) {
        return database.json(LAG, queue, group);
    }
}
