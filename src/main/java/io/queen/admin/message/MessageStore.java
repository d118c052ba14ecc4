package io.queen.admin.message;

import io.queen.database.Database;
import io.queen.message.Page;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Single messages: found, shown, removed. Lists are JSON as PostgreSQL wrote it. */
@Singleton
public final class MessageStore {
    private static final String LIST =
            "select queen.list_messages_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, $11)::text";
    private static final String OF_QUEUE = "select queen.list_messages_v1($1, null, null, null, null, null,"
            + " '-infinity', 'infinity', $2, $3, true)::text where exists (select from queen.queues q where q.name = $1)";
    private static final String DETAIL =
            "select detail::text, payload, is_encrypted, detail->>'queue', detail->>'partition', $2"
                    + " from queen.message_detail_v1($1, $2)";
    private static final String DELETE = "select queen.delete_message_v1($1, $2)";
    private static final String CLEAR = "select * from queen.clear_messages_v1($1, $2, $3, $4, $5)";

    private final Database database;

    MessageStore(Database database) {
        this.database = database;
    }

    /**
     * Which messages a list shows; null for any.
     *
     * @param status one of {@code pending}, {@code processing}, {@code completed}, {@code dead_letter}
     * @param consumerGroup whose status it is; null for that of the queue
     * @param from the first time that is included
     * @param to the first time that is not
     */
    record Filter(
            String queue,
            String partition,
            String namespace,
            String task,
            String status,
            String consumerGroup,
            OffsetDateTime from,
            OffsetDateTime to) {}

    /**
     * What a portion of a clearing did.
     *
     * @param deleted null when there is no such queue or partition
     * @param lastPartition where the next portion goes on, with {@code lastUpto}; null when all is done
     */
    record Portion(Long deleted, UUID lastPartition, Long lastUpto) {
        static final Portion START = new Portion(0L, null, null);
    }

    /** Messages, the newest first, of the queues that the caller may read: names and patterns, null for all. */
    Uni<String> list(Filter filter, Page page, String[] readable) {
        return database.json(
                LIST,
                filter.queue(),
                filter.partition(),
                filter.namespace(),
                filter.task(),
                filter.status(),
                filter.consumerGroup(),
                filter.from(),
                filter.to(),
                page.limit(),
                page.offset(),
                readable);
    }

    /** The messages of a queue, of all time, as an array; null when there is no such queue. */
    public Uni<String> ofQueue(String queue, Page page) {
        return database.json(OF_QUEUE, queue, page.limit(), page.offset());
    }

    /** The message with its payload; null when there is none. */
    public Uni<DescribedMessage> detail(UUID partitionId, String transactionId) {
        return database.one(DETAIL, row -> described(row, 0), partitionId, transactionId);
    }

    /**
     * Rows of {@code total, json, payload, is_encrypted, queue, partition, transaction id}, where the total or the rest may
     * be null.
     */
    public static DescribedPage page(RowSet<Row> rows) {
        List<DescribedMessage> messages = rows.stream()
                .map(row -> described(row, 1))
                .filter(Objects::nonNull)
                .toList();
        long total = rows.stream()
                .map(row -> row.getLong(0))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(0L);
        return new DescribedPage(messages, total);
    }

    private static DescribedMessage described(Row row, int from) {
        String json = row.getString(from);
        boolean encrypted = Boolean.TRUE.equals(row.getBoolean(from + 2));
        PartitionName partition = new PartitionName(row.getString(from + 3), row.getString(from + 4));
        return json == null
                ? null
                : new DescribedMessage(json, row.getString(from + 1), encrypted, partition, row.getString(from + 5));
    }

    /** Removes the message with its dead letters and traces; false when there was none. */
    Uni<Boolean> delete(UUID partitionId, String transactionId) {
        return database.one(DELETE, row -> row.getBoolean(0), partitionId, transactionId);
    }

    /** Removes the next messages of the queue, or of one of its partitions, after the portion before. */
    Uni<Portion> clear(String queue, String partition, Portion before, int limit) {
        return database.one(
                CLEAR,
                row -> new Portion(row.getLong(0), row.getUUID(1), row.getLong(2)),
                queue,
                partition,
                before.lastPartition(),
                before.lastUpto(),
                limit);
    }
}
