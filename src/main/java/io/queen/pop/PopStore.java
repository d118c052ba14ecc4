package io.queen.pop;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions of the POP state machine: one method each, on the connection it is given. */
public final class PopStore {
    private static final String FIND = "select p.id from unnest($1::text[], $2::text[]) with ordinality"
            + " l (queue, partition, ord) left join queen.queues q on q.name = l.queue"
            + " left join queen.partitions p on p.queue_id = q.id and p.name = l.partition order by l.ord";
    private static final String MATCHING = "select q.name from queen.queues q"
            + " where ($1::text is null or q.namespace = $1) and ($2::text is null or q.task = $2)"
            + " order by q.priority desc, q.name";
    private static final String SUBSCRIBE = "select queen.pop_sm_subscribe($1, $2, $3, $4, $5)";
    private static final String NEWS = "select n.ids, n.due_ms, n.last_name, n.mark"
            + " from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[])"
            + " with ordinality l (queue, consumer_group, mark, after, step, ord)"
            + " cross join lateral queen.changes_since_v1(l.queue, l.consumer_group, l.mark, l.after, l.step) n order by l.ord";
    private static final String TAKE = "select * from queen.pop_sm_take($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    private static final String CHECK = "select s.ids, s.due_ms from queen.check_partitions_v1($1, $2) s";
    private static final String RELEASE = "select queen.pop_sm_release($1, $2, $3, $4)";
    private static final String SHORTEN = "select queen.pop_sm_shorten($1, $2, $3, $4)";
    private static final String REST = "select queen.pop_sm_rest($1, $2, $3, $4)";

    private PopStore() {}

    /**
     * What is known of the partitions of a queue.
     *
     * @param ids partitions with messages for the group, and {@code dueMillis} until each can be popped
     * @param lastName where a sweep goes on, null at its end
     * @param mark what to ask the push log from, the next time; null when the one given is of an earlier life of the
     *     database and nothing can be told
     */
    public record News(UUID[] ids, Long[] dueMillis, String lastName, String mark) {}

    /** What became of the candidates, in order, and the messages of those that were claimed, in sequence order. */
    public record Taken(List<LeaseOutcome> outcomes, List<StoredMessage> messages) {}

    /** A message as it is stored; {@code candidate} is the one it was claimed with. */
    public record StoredMessage(
            int candidate,
            long seq,
            UUID id,
            String transactionId,
            UUID traceId,
            String payload,
            boolean encrypted,
            String producerSub,
            OffsetDateTime createdAt) {}

    /** The ids of partitions by name, null for those that do not exist. */
    public static Uni<List<UUID>> find(Connection connection, List<PartitionName> lanes) {
        String[] queues = lanes.stream().map(PartitionName::queue).toArray(String[]::new);
        String[] partitions = lanes.stream().map(PartitionName::partition).toArray(String[]::new);
        return connection
                .sql()
                .preparedQuery(FIND)
                .execute(Tuple.of(queues, partitions))
                .map(rows -> {
                    List<UUID> ids = new ArrayList<>(lanes.size());
                    rows.forEach(row -> ids.add(row.getUUID(0)));
                    return ids;
                });
    }

    /** The queues with that namespace and task, the more urgent first; null matches all. */
    public static Uni<List<String>> matching(Connection connection, String namespace, String task) {
        return connection
                .sql()
                .preparedQuery(MATCHING)
                .execute(Tuple.of(namespace, task))
                .map(rows -> {
                    List<String> names = new ArrayList<>(rows.size());
                    rows.forEach(row -> names.add(row.getString(0)));
                    return names;
                });
    }

    /**
     * Records where a group starts, if nobody did before; {@code partition} is empty for the whole queue. True when that
     * left a record for a queue that does not exist.
     */
    public static Uni<Boolean> subscribe(
            Connection connection, String queue, String group, String partition, boolean isNew, OffsetDateTime time) {
        return connection
                .sql()
                .preparedQuery(SUBSCRIBE)
                .execute(Tuple.of(queue, group, partition, isNew ? "new" : "timestamp", time))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** What to look for: news since {@code mark}, or without one the next {@code step} partitions of a sweep. */
    public record Question(String queue, String group, String mark, String sweepAfter, int step) {}

    /** One answer per question, in order. */
    public static Uni<List<News>> news(Connection connection, List<Question> questions) {
        Tuple arguments = Tuple.tuple()
                .addValue(questions.stream().map(Question::queue).toArray(String[]::new))
                .addValue(questions.stream().map(Question::group).toArray(String[]::new))
                .addValue(questions.stream().map(Question::mark).toArray(String[]::new))
                .addValue(questions.stream().map(Question::sweepAfter).toArray(String[]::new))
                .addValue(questions.stream().map(Question::step).toArray(Integer[]::new));
        return connection.sql().preparedQuery(NEWS).execute(arguments).map(rows -> {
            List<News> answers = new ArrayList<>(rows.size());
            rows.forEach(row -> answers.add(new News(ids(row), dueMillis(row), row.getString(2), row.getString(3))));
            return answers;
        });
    }

    /** Those of the partitions that have messages for the group. */
    public static Uni<News> sift(Connection connection, String group, UUID[] partitions) {
        return connection
                .sql()
                .preparedQuery(CHECK)
                .execute(Tuple.of(group, partitions))
                .map(rows -> rows.iterator().next())
                .map(row -> new News(ids(row), dueMillis(row), null, null));
    }

    /** Claims what can be claimed of the candidates and reads its messages, of each request up to so many payload bytes. */
    public static Uni<Taken> take(Connection connection, LeaseCall call, boolean again, long bytes) {
        return connection
                .sql()
                .preparedQuery(TAKE)
                .execute(call.arguments(again).addValue(bytes))
                .map(rows -> taken(rows, call.size()));
    }

    /** Gives leases back; a cursor that is not null moves up to there. */
    public static Uni<Void> release(
            Connection connection, UUID[] partitions, String[] groups, UUID[] leases, Long[] cursors) {
        return connection
                .sql()
                .preparedQuery(RELEASE)
                .execute(Tuple.of(partitions, groups, leases, cursors))
                .replaceWithVoid();
    }

    /** Ends leases with what was {@code read} under them. */
    public static Uni<Void> shorten(
            Connection connection, UUID[] partitions, String[] groups, UUID[] leases, Long[] read) {
        return connection
                .sql()
                .preparedQuery(SHORTEN)
                .execute(Tuple.of(partitions, groups, leases, read))
                .replaceWithVoid();
    }

    /** Ends leases after so many seconds; until then no pop tries these partitions again. */
    public static Uni<Void> rest(
            Connection connection, UUID[] partitions, String[] groups, UUID[] leases, int seconds) {
        return connection
                .sql()
                .preparedQuery(REST)
                .execute(Tuple.of(partitions, groups, leases, seconds))
                .replaceWithVoid();
    }

    private static UUID[] ids(Row row) {
        UUID[] ids = row.getArrayOfUUIDs(0);
        return ids == null ? new UUID[0] : ids;
    }

    private static Long[] dueMillis(Row row) {
        Long[] due = row.getArrayOfLongs(1);
        return due == null ? new Long[0] : due;
    }

    private static Taken taken(RowSet<Row> rows, int candidates) {
        Taken taken = new Taken(new ArrayList<>(candidates), new ArrayList<>(rows.size() - candidates));
        for (Row row : rows) {
            if (taken.outcomes().size() < candidates) {
                taken.outcomes().add(outcome(row));
            } else {
                taken.messages().add(message(row));
            }
        }
        return taken;
    }

    private static LeaseOutcome outcome(Row row) {
        return new LeaseOutcome(
                LeaseOutcome.Kind.of(row.getString(1)),
                row.getString(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getUUID(7),
                row.getInteger(8),
                row.getBoolean(9));
    }

    private static StoredMessage message(Row row) {
        return new StoredMessage(
                row.getInteger(0) - 1,
                row.getLong(10),
                row.getUUID(11),
                row.getString(12),
                row.getUUID(13),
                row.getString(14),
                row.getBoolean(15),
                row.getString(16),
                row.getOffsetDateTime(17));
    }
}
