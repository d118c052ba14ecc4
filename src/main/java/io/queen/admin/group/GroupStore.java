package io.queen.admin.group;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.database.JsonQuery;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;

/** Consumer groups: where they stand, and moving them. */
public final class GroupStore {
    private static final String LIST = "select queen.list_groups_v1($1, $2)";
    private static final String DESCRIBE = "select queen.describe_group_v1($1, $2, $3)";
    private static final String LAGGING = "select queen.lagging_groups_v1($1, $2, $3)";
    private static final String DELETE = "select * from queen.delete_group_v1($1, $2, $3)";
    private static final String SEEK = "select * from queen.seek_group_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String SEEK_PARTITION = "select * from queen.seek_partition_v1($1, $2, $3, $4, $5)";
    private static final String RELEASE = "select * from queen.release_lease_v1($1, $2, $3)";
    private static final String SUBSCRIBE = "select queen.move_subscriptions_v1($1, $2)";

    private GroupStore() {}

    /** What one portion of a seek did: the next goes on after {@code lastName}, null at the end, and takes the mark along. */
    public record Portion(int moved, String lastName, String mark) {
        public static final Portion NONE = new Portion(0, null, null);
    }

    public static Uni<String> list(Connection connection, Page page) {
        return JsonQuery.run(connection, LIST, Tuple.of(page.limit(), page.offset()));
    }

    public static Uni<String> describe(Connection connection, String group, Page page) {
        return JsonQuery.run(connection, DESCRIBE, Tuple.of(group, page.limit(), page.offset()));
    }

    public static Uni<String> lagging(Connection connection, long seconds, Page page) {
        return JsonQuery.run(connection, LAGGING, Tuple.of(seconds, page.limit(), page.offset()));
    }

    /** In one queue, or with null in all. */
    public static Uni<GroupDeletion> delete(Connection connection, String group, String queue, boolean metadata) {
        return row(connection, DELETE, Tuple.of(group, queue, metadata))
                .map(row -> new GroupDeletion(row.getInteger(0), row.getBoolean(1), List.of(row.getArrayOfStrings(2))));
    }

    /** Moves the cursors in the next partitions after that name, null to begin. */
    public static Uni<Portion> seek(
            Connection connection, String group, String queue, Seek seek, Portion before, int limit) {
        Tuple arguments = Tuple.tuple()
                .addValue(group)
                .addValue(queue)
                .addValue(to(seek))
                .addValue(seek.time())
                .addValue(before.lastName())
                .addValue(limit)
                .addValue(before.mark());
        return row(connection, SEEK, arguments)
                .map(row -> new Portion(row.getInteger(0), row.getString(1), row.getString(2)));
    }

    public static Uni<PartitionSeek> seekPartition(
            Connection connection, String group, String queue, String partition, Seek seek) {
        return row(connection, SEEK_PARTITION, Tuple.of(group, queue, partition, to(seek), seek.time()))
                .map(row -> new PartitionSeek(row.getUUID(0), row.getBoolean(1), row.getOffsetDateTime(2)));
    }

    /** Ends the lease on the partition, whoever holds it. */
    public static Uni<ReleasedLease> release(Connection connection, String group, String queue, String partition) {
        return row(connection, RELEASE, Tuple.of(group, queue, partition))
                .map(row -> new ReleasedLease(
                        row.getUUID(0),
                        row.getBoolean(1),
                        row.getUUID(2),
                        row.getString(3),
                        row.getOffsetDateTime(4),
                        row.getLong(5),
                        row.getBoolean(6)));
    }

    /** Lets the group's recorded subscriptions begin at that time, and tells how many there are. */
    public static Uni<Integer> subscribe(Connection connection, String group, OffsetDateTime time) {
        return row(connection, SUBSCRIBE, Tuple.of(group, time)).map(row -> row.getInteger(0));
    }

    private static String to(Seek seek) {
        return seek.to().name().toLowerCase(Locale.ROOT);
    }

    private static Uni<Row> row(Connection connection, String sql, Tuple arguments) {
        return connection
                .sql()
                .preparedQuery(sql)
                .execute(arguments)
                .map(rows -> rows.iterator().next())
                .onFailure()
                .transform(DatabaseFailure::translate);
    }
}
