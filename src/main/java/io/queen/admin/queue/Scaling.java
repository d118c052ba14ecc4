package io.queen.admin.queue;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Tells how many consumers there is work for. */
@Singleton
public final class Scaling {
    private final Database database;

    Scaling(Database database) {
        this.database = database;
    }

    /** How far the group is behind on the queue, as JSON text; a queue that does not exist has no lag. */
    public Uni<String> lag(String queue, String group) {
        return ScalingStore.lag(database.general(), queue, group);
    }
}
