package io.queen.admin.queue;

import io.queen.database.Connection;
import io.queen.database.JsonQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** What an autoscaler asks. */
public final class ScalingStore {
    private static final String LAG = "select queen.queue_lag_v1($1, $2)";

    private ScalingStore() {}

    /** How far the group is behind on the queue, as JSON text. */
    public static Uni<String> lag(Connection connection, String queue, String group) {
        return JsonQuery.run(connection, LAG, Tuple.of(queue, group));
    }
}
