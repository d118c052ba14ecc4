package io.queen.admin.message;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.database.JsonQuery;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.UUID;

/** Single messages: found, shown, removed. */
public final class MessageStore {
    private static final String LIST =
            "select queen.list_messages_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false)::text";
    private static final String OF_QUEUE = "select queen.list_messages_v1($1, null, null, null, null, null,"
            + " '-infinity', 'infinity', $2, $3, true)::text where exists (select from queen.queues q where q.name = $1)";
    private static final String DETAIL =
            "select detail::text, payload, is_encrypted from queen.message_detail_v1($1, $2)";
    private static final String DELETE = "select queen.delete_message_v1($1, $2)";
    private static final String CLEAR = "select * from queen.clear_messages_v1($1, $2, $3, $4, $5)";

    private MessageStore() {}

    /** Messages, the newest first. */
    public static Uni<String> list(Connection connection, MessageFilter filter, Page page) {
        Tuple arguments = Tuple.tuple()
                .addValue(filter.queue())
                .addValue(filter.partition())
                .addValue(filter.namespace())
                .addValue(filter.task())
                .addValue(filter.status())
                .addValue(filter.consumerGroup())
                .addValue(filter.from())
                .addValue(filter.to())
                .addValue(page.limit())
                .addValue(page.offset());
        return JsonQuery.run(connection, LIST, arguments);
    }

    /** The messages of a queue, of all time, as an array; null when there is no such queue. */
    public static Uni<String> ofQueue(Connection connection, String queue, Page page) {
        return connection
                .sql()
                .preparedQuery(OF_QUEUE)
                .execute(Tuple.of(queue, page.limit(), page.offset()))
                .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getString(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** The message with its payload; null when there is none. */
    public static Uni<DescribedMessage> detail(Connection connection, UUID partitionId, String transactionId) {
        return connection
                .sql()
                .preparedQuery(DETAIL)
                .execute(Tuple.of(partitionId, transactionId))
                .map(MessageStore::described)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    private static DescribedMessage described(RowSet<Row> rows) {
        Row row = rows.size() == 0 ? null : rows.iterator().next();
        return row == null || row.getString(0) == null
                ? null
                : new DescribedMessage(row.getString(0), row.getString(1), row.getBoolean(2));
    }

    /** Removes the message; false when there was none. */
    public static Uni<Boolean> delete(Connection connection, UUID partitionId, String transactionId) {
        return connection
                .sql()
                .preparedQuery(DELETE)
                .execute(Tuple.of(partitionId, transactionId))
                .map(rows -> rows.iterator().next().getBoolean(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /**
     * What a portion of a clearing did.
     *
     * @param deleted null when there is no such queue or partition
     * @param lastPartition where the next portion goes on, with {@code lastUpto}; null when all is done
     */
    public record Portion(Long deleted, UUID lastPartition, Long lastUpto) {
        public static final Portion START = new Portion(0L, null, null);
    }

    /** Removes the next messages of the queue, or of one of its partitions, after the portion before. */
    public static Uni<Portion> clear(Connection connection, String queue, String partition, Portion before, int limit) {
        return connection
                .sql()
                .preparedQuery(CLEAR)
                .execute(Tuple.of(queue, partition, before.lastPartition(), before.lastUpto(), limit))
                .map(rows -> rows.iterator().next())
                .map(row -> new Portion(row.getLong(0), row.getUUID(1), row.getLong(2)))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
