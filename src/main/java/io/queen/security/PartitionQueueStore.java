package io.queen.security;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Which queues partitions belong to. */
@Singleton
final class PartitionQueueStore {
    private static final String QUEUES = "select p.id, q.name from queen.partitions p"
            + " join queen.queues q on q.id = p.queue_id where p.id = any ($1)";

    private final Database database;

    PartitionQueueStore(Database database) {
        this.database = database;
    }

    /** A partition, and the name of its queue. */
    record Owned(UUID partitionId, String queue) {}

    /** Of those that exist. */
    Uni<List<Owned>> queues(Collection<UUID> partitionIds) {
        return database.list(
                QUEUES, row -> new Owned(row.getUUID(0), row.getString(1)), (Object) partitionIds.toArray(UUID[]::new));
    }
}
