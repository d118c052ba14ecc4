package io.queen.admin.group;

import io.queen.database.Database;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Consumer groups: where they stand, and moving them. */
@Singleton
final class GroupStore {
    private static final String LIST = "select queen.list_groups_v1($1, $2, $3)";
    private static final String DESCRIBE = "select queen.describe_group_v1($1, $2, $3, $4)";
    private static final String LAGGING = "select queen.lagging_groups_v1($1, $2, $3, $4)";
    private static final String DELETE = "select * from queen.delete_group_v1($1, $2, $3)";
    private static final String SEEK = "select * from queen.seek_group_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String SEEK_PARTITION = "select * from queen.seek_partition_v1($1, $2, $3, $4, $5)";
    private static final String PREVIEW = "select * from queen.preview_seek_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String RELEASE = "select * from queen.release_lease_v1($1, $2, $3)";
    private static final String SUBSCRIBE = "select queen.move_subscriptions_v1($1, $2, $3)";

    private final Database database;

    GroupStore(Database database) {
        this.database = database;
    }

    /**
     * What the deletion of a group removed.
     *
     * @param partitions cursors
     * @param metadata whether a subscription was among it
     * @param queues the queues in which something was removed
     */
    record Deletion(int partitions, boolean metadata, List<String> queues) {}

    /** What one portion of a seek did: the next goes on after {@code lastName}, null at the end, and takes the mark along. */
    record Portion(int moved, String lastName, String mark) {
        static final Portion NONE = new Portion(0, null, null);
    }

    /**
     * What a seek in one partition did.
     *
     * @param partitionId null when there is no such partition
     * @param moved false when the group does not know the queue
     * @param cursorTime when the message at the cursor was pushed; null at the beginning, or when it is gone
     */
    record PartitionSeek(UUID partitionId, boolean moved, OffsetDateTime cursorTime) {}

    /**
     * What a seek would do, in one portion or in all up to it.
     *
     * @param known false when there is no such partition
     * @param partitions those in which a cursor would be put somewhere; none for a group that does not know the queue
     * @param redelivered messages that the group would get again
     * @param skipped messages that the group would not get any more
     * @param lastName where the next portion goes on; null at the end
     */
    record Preview(boolean known, long partitions, long redelivered, long skipped, String lastName) {
        static final Preview NONE = new Preview(true, 0, 0, 0, null);

        Preview plus(Preview next) {
            return new Preview(
                    next.known,
                    partitions + next.partitions,
                    redelivered + next.redelivered,
                    skipped + next.skipped,
                    next.lastName);
        }
    }

    /**
     * What the end of a lease by an operator did.
     *
     * @param partitionId null when there is no such partition
     * @param released false when there was no lease; then there is nothing more to tell
     * @param holder the address of the consumer that held it, and after a space the name it gave
     * @param expiresAt when the lease would have ended by itself, in {@code remainingMillis}
     * @param pending messages are left
     */
    record ReleasedLease(
            UUID partitionId,
            boolean released,
            UUID leaseId,
            String holder,
            OffsetDateTime expiresAt,
            Long remainingMillis,
            boolean pending) {}

    /**
     * JSON: an array with one element per group and queue.
     *
     * @param visible the queues that the caller may see, here and elsewhere: names and patterns, null for all
     */
    Uni<String> list(Page page, String[] visible) {
        return database.json(LIST, page.limit(), page.offset(), visible);
    }

    /** JSON: an object with the group's partitions by queue. */
    Uni<String> describe(String group, Page page, String[] visible) {
        return database.json(DESCRIBE, group, page.limit(), page.offset(), visible);
    }

    /** JSON: an array of the partitions whose oldest unread message is older than that. */
    Uni<String> lagging(long seconds, Page page, String[] visible) {
        return database.json(LAGGING, seconds, page.limit(), page.offset(), visible);
    }

    /** Removes cursors, leases and pauses, in one queue or with null in all; with {@code metadata} subscriptions too. */
    Uni<Deletion> delete(String group, String queue, boolean metadata) {
        return database.one(
                DELETE,
                row -> new Deletion(row.getInteger(0), row.getBoolean(1), List.of(row.getArrayOfStrings(2))),
                group,
                queue,
                metadata);
    }

    /** Moves the cursors in the next partitions after the portion before. */
    Uni<Portion> seek(String group, String queue, Seek seek, Portion before, int limit) {
        return database.one(
                SEEK,
                row -> new Portion(row.getInteger(0), row.getString(1), row.getString(2)),
                group,
                queue,
                to(seek),
                seek.time(),
                before.lastName(),
                limit,
                before.mark());
    }

    Uni<PartitionSeek> seekPartition(String group, String queue, String partition, Seek seek) {
        return database.one(
                SEEK_PARTITION,
                row -> new PartitionSeek(row.getUUID(0), row.getBoolean(1), row.getOffsetDateTime(2)),
                group,
                queue,
                partition,
                to(seek),
                seek.time());
    }

    /** Moves nothing: tells what a seek would do in the next partitions after the portion before, or in the one named. */
    Uni<Preview> preview(String group, String queue, String partition, Seek seek, Preview before, int limit) {
        return database.one(
                PREVIEW,
                row -> new Preview(row.getBoolean(0), row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4)),
                group,
                queue,
                partition,
                to(seek),
                seek.time(),
                before.lastName(),
                limit);
    }

    /** Ends the lease on the partition, whichever consumer holds it. */
    Uni<ReleasedLease> release(String group, String queue, String partition) {
        return database.one(RELEASE, GroupStore::released, group, queue, partition);
    }

    /** Lets the group's recorded subscriptions to these queues, null for all, begin at that time, and tells how many. */
    Uni<Integer> subscribe(String group, OffsetDateTime time, String[] queues) {
        return database.one(SUBSCRIBE, row -> row.getInteger(0), group, time, queues);
    }

    private static ReleasedLease released(Row row) {
        return new ReleasedLease(
                row.getUUID(0),
                row.getBoolean(1),
                row.getUUID(2),
                row.getString(3),
                row.getOffsetDateTime(4),
                row.getLong(5),
                row.getBoolean(6));
    }

    private static String to(Seek seek) {
        return seek.to().name().toLowerCase(Locale.ROOT);
    }
}
