package io.queen.admin.deadletter;

import io.queen.admin.message.DescribedPage;
import io.queen.admin.message.MessageStore;
import io.queen.database.Database;
import io.queen.message.Page;
import io.queen.message.PartitionName;
import io.queen.message.TimeRange;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Dead letters: shown, forgotten, made, and given another chance. */
@Singleton
final class DeadLetterStore {
    private static final String LIST = "select total, letter::text, payload, is_encrypted,"
            + " letter->>'queue', letter->>'partition', letter->>'transactionId'"
            + " from queen.list_dead_letters_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    private static final String ERRORS =
            "select queen.dead_letter_errors_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)::text";
    private static final String COUNT = "select queen.count_dead_letters_v1($1, $2, $3, $4, $5, $6)";
    private static final String DELETE = "select queen.delete_dead_letters_v1($1, $2, $3, $4, $5, $6)";
    private static final String REDRIVE =
            "select * from queen.redrive_messages_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    private static final String COPY = "select * from queen.redrive_copies_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    private static final String DEAD_LETTER = "select * from queen.dead_letter_message_v1($1, $2, $3, $4)";
    private static final Filter ANY = new Filter(null, null, null, new TimeRange(null, null), null);
    /** Dead letters that are grouped by their texts at most, a few tenths of a second of PostgreSQL. */
    private static final int GROUPED = 100_000;

    private final Database database;

    DeadLetterStore(Database database) {
        this.database = database;
    }

    /** Which dead letters are meant; null for any, {@code failed} has nulls for open ends, {@code error} is the whole text. */
    record Filter(String queue, String partition, String consumerGroup, TimeRange failed, String error) {}

    /**
     * A partition that got messages again.
     *
     * @param consumerGroup the group that gets them; null for all groups
     * @param gone dead letters whose message had been removed
     * @param messageId the last of them
     * @param until nothing that failed later was looked at
     */
    record Redriven(
            UUID partitionId,
            PartitionName partition,
            String consumerGroup,
            int messages,
            int gone,
            UUID messageId,
            OffsetDateTime until) {}

    /** What became of the group's lease on the partition. */
    record DeadLettered(PartitionName partition, boolean leaseReleased, boolean pending) {}

    /** Dead letters, the newest failure first, of the queues that the caller may read: names and patterns, null for all. */
    Uni<DescribedPage> list(Filter filter, Page page, String[] readable) {
        return database.query(LIST, Tuple.from(arguments(filter, page.limit(), page.offset(), readable)))
                .map(MessageStore::page);
    }

    /** JSON: the error texts of those that match, the most frequent first, with their numbers. */
    Uni<String> errors(Filter filter, Page page, String[] readable) {
        return database.json(ERRORS, arguments(filter, page.limit(), page.offset(), readable, GROUPED));
    }

    /** How many match. */
    Uni<Long> count(Filter filter) {
        return database.one(COUNT, row -> row.getLong(0), arguments(filter));
    }

    /** Forgets those that match and tells how many. The messages stay, consumed. */
    Uni<Long> delete(Filter filter) {
        return database.one(DELETE, row -> row.getLong(0), arguments(filter));
    }

    /**
     * Gives up to {@code limit} dead letters that match to the groups that failed them.
     *
     * @param allGroups pushes copies instead, which every group gets
     * @param until nothing that failed later; null in the first portion
     */
    Uni<List<Redriven>> redrive(Filter filter, boolean allGroups, OffsetDateTime until, int limit) {
        return redrive(allGroups, arguments(filter, null, null, until, limit));
    }

    /** The same for one message, whichever groups failed it; empty when it is not a dead letter. */
    Uni<List<Redriven>> redrive(UUID partitionId, String transactionId, boolean allGroups, int limit) {
        return redrive(allGroups, arguments(ANY, partitionId, transactionId, null, limit));
    }

    private Uni<List<Redriven>> redrive(boolean allGroups, Object... arguments) {
        return database.list(allGroups ? COPY : REDRIVE, DeadLetterStore::redriven, arguments);
    }

    /** Makes the message a dead letter of the group; null when there is no such message. */
    Uni<DeadLettered> deadLetter(UUID partitionId, String transactionId, String group, String error) {
        return database.one(DEAD_LETTER, DeadLetterStore::deadLettered, partitionId, transactionId, group, error);
    }

    private static Object[] arguments(Filter filter, Object... more) {
        Stream<Object> first = Stream.of(
                filter.queue(),
                filter.partition(),
                filter.consumerGroup(),
                filter.failed().from(),
                filter.failed().to());
        return Stream.of(first, Stream.of(more), Stream.of((Object) filter.error()))
                .flatMap(each -> each)
                .toArray();
    }

    private static Redriven redriven(Row row) {
        return new Redriven(
                row.getUUID(0),
                new PartitionName(row.getString(1), row.getString(2)),
                row.getString(3),
                row.getInteger(4),
                row.getInteger(5),
                row.getUUID(6),
                row.getOffsetDateTime(7));
    }

    private static DeadLettered deadLettered(Row row) {
        PartitionName partition = new PartitionName(row.getString(1), row.getString(2));
        return row.getBoolean(0) ? new DeadLettered(partition, row.getBoolean(3), row.getBoolean(4)) : null;
    }
}
