package io.queen.admin.deadletter;

import io.queen.admin.message.DescribedMessage;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.Page;
import io.queen.message.PartitionName;
import io.queen.message.TimeRange;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Dead letters: shown, forgotten, made, and given another chance. */
public final class DeadLetterStore {
    private static final String LIST = "select total, letter::text, payload, is_encrypted"
            + " from queen.list_dead_letters_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String DELETE = "select queen.delete_dead_letters_v1($1, $2, $3, $4, $5)";
    private static final String REDRIVE = "select * from queen.redrive_messages_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    private static final String COPY = "select * from queen.redrive_copies_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    private static final String BURY = "select * from queen.dead_letter_message_v1($1, $2, $3, $4)";
    private static final String BURY_ALL =
            "select queen.dead_letter_message_v1(m.partition_id, m.transaction_id, $3, $4)"
                    + " from unnest($1::uuid[], $2::text[]) m (partition_id, transaction_id)";
    private static final DeadLetterFilter ANY = new DeadLetterFilter(null, null, null, new TimeRange(null, null));

    private DeadLetterStore() {}

    /**
     * A partition that got messages again.
     *
     * @param consumerGroup the group that gets them; null for all groups
     * @param gone dead letters whose message had been removed
     * @param messageId the last of them
     * @param until nothing that failed later was looked at
     */
    public record Redriven(
            UUID partitionId,
            PartitionName lane,
            String consumerGroup,
            int messages,
            int gone,
            UUID messageId,
            OffsetDateTime until) {}

    /** What became of the group's lease on the partition. */
    public record Buried(PartitionName lane, boolean leaseReleased, boolean pending) {}

    /** Dead letters, the newest failure first. */
    public static Uni<DeadLetterPage> list(Connection connection, DeadLetterFilter filter, Page page) {
        Tuple arguments = arguments(filter).addValue(page.limit()).addValue(page.offset());
        return connection
                .sql()
                .preparedQuery(LIST)
                .execute(arguments)
                .map(DeadLetterStore::page)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** Forgets those that match and tells how many. The messages stay. */
    public static Uni<Long> delete(Connection connection, DeadLetterFilter filter) {
        return connection
                .sql()
                .preparedQuery(DELETE)
                .execute(arguments(filter))
                .map(rows -> rows.iterator().next().getLong(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /**
     * Gives up to {@code limit} dead letters that match to the groups that failed them.
     *
     * @param allGroups pushes copies instead, which every group gets
     * @param until nothing that failed later; null in the first portion
     */
    public static Uni<List<Redriven>> redrive(
            Connection connection, DeadLetterFilter filter, boolean allGroups, OffsetDateTime until, int limit) {
        Tuple arguments = arguments(filter).addValue(null).addValue(null).addValue(until);
        return redrive(connection, allGroups, arguments.addValue(limit));
    }

    /** The same for one message, whichever groups failed it; empty when it is not a dead letter. */
    public static Uni<List<Redriven>> redrive(
            Connection connection, UUID partitionId, String transactionId, boolean allGroups, int limit) {
        Tuple arguments = arguments(ANY).addValue(partitionId).addValue(transactionId);
        return redrive(connection, allGroups, arguments.addValue(null).addValue(limit));
    }

    private static Uni<List<Redriven>> redrive(Connection connection, boolean allGroups, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(allGroups ? COPY : REDRIVE)
                .execute(arguments)
                .map(DeadLetterStore::redriven)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** Makes the message a dead letter of the group; null when there is no such message. */
    public static Uni<Buried> bury(
            Connection connection, UUID partitionId, String transactionId, String group, String error) {
        return connection
                .sql()
                .preparedQuery(BURY)
                .execute(Tuple.of(partitionId, transactionId, group, error))
                .map(rows -> buried(rows.iterator().next()))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** Makes messages that the group has passed its dead letters. */
    public static Uni<Void> buryAll(
            Connection connection, UUID[] partitions, String[] transactions, String group, String error) {
        return connection
                .sql()
                .preparedQuery(BURY_ALL)
                .execute(Tuple.of(partitions, transactions, group, error))
                .replaceWithVoid();
    }

    private static Tuple arguments(DeadLetterFilter filter) {
        return Tuple.tuple()
                .addValue(filter.queue())
                .addValue(filter.partition())
                .addValue(filter.consumerGroup())
                .addValue(filter.failed().from())
                .addValue(filter.failed().to());
    }

    private static DeadLetterPage page(RowSet<Row> rows) {
        List<DescribedMessage> letters = new ArrayList<>(rows.size());
        long total = 0;
        for (Row row : rows) {
            if (row.getLong(0) != null) {
                total = row.getLong(0);
            } else {
                boolean encrypted = Boolean.TRUE.equals(row.getBoolean(3));
                letters.add(new DescribedMessage(row.getString(1), row.getString(2), encrypted));
            }
        }
        return new DeadLetterPage(letters, total);
    }

    private static List<Redriven> redriven(RowSet<Row> rows) {
        List<Redriven> partitions = new ArrayList<>(rows.size());
        for (Row row : rows) {
            PartitionName lane = new PartitionName(row.getString(1), row.getString(2));
            partitions.add(new Redriven(
                    row.getUUID(0),
                    lane,
                    row.getString(3),
                    row.getInteger(4),
                    row.getInteger(5),
                    row.getUUID(6),
                    row.getOffsetDateTime(7)));
        }
        return partitions;
    }

    private static Buried buried(Row row) {
        return row.getBoolean(0)
                ? new Buried(
                        new PartitionName(row.getString(1), row.getString(2)), row.getBoolean(3), row.getBoolean(4))
                : null;
    }
}
