package io.queen.admin.encryption;

import io.queen.database.Database;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** Payloads that are not encrypted with the newest key: read in portions, and stored anew. */
@Singleton
final class ReencryptionStore {
    private static final String EXISTS = "select exists (select from queen.queues q where q.name = $1)";
    private static final String STALE = "select * from queen.stale_payloads_v1($1, $2, $3, $4, $5, $6)";
    private static final String REPLACE = "select queen.replace_payloads_v1($1, $2, $3)";

    private final Database database;

    ReencryptionStore(Database database) {
        this.database = database;
    }

    /** A message of a walk over a queue; without a payload it is only the place where the walk goes on. */
    record Stale(UUID partitionId, PartitionName partition, long seq, String transactionId, String payload) {
        Stale with(String other) {
            return new Stale(partitionId, partition, seq, transactionId, other);
        }
    }

    Uni<Boolean> exists(String queue) {
        return database.one(EXISTS, row -> row.getBoolean(0), queue);
    }

    /**
     * The next messages of the queue whose payload does not begin with {@code newest}, and where to go on.
     *
     * @param after where to go on; null to begin
     */
    Uni<List<Stale>> stale(String queue, Position after, String newest, int limit, long bytes) {
        return database.list(
                STALE,
                row -> stale(row, queue),
                queue,
                after == null ? null : after.partition(),
                after == null ? null : after.seq(),
                newest,
                limit,
                bytes);
    }

    private static Stale stale(Row row, String queue) {
        PartitionName partition = new PartitionName(queue, row.getString(1));
        return new Stale(row.getUUID(0), partition, row.getLong(2), row.getString(3), row.getString(4));
    }

    /** Stores those payloads and tells of how many messages; those that are gone or held are passed over. */
    Uni<Long> replace(List<Stale> messages) {
        return messages.isEmpty()
                ? Uni.createFrom().item(0L)
                : database.one(
                        REPLACE,
                        row -> row.getLong(0),
                        messages.stream().map(Stale::partitionId).toArray(UUID[]::new),
                        messages.stream().map(Stale::seq).toArray(Long[]::new),
                        messages.stream().map(Stale::payload).toArray(String[]::new));
    }
}
