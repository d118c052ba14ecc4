package io.queen.pop;

import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions of the POP state machine: one method each, on the connection it is given. */
public final class PopStore {
    private static final String MATCHING = "select q.name from queen.queues q"
            + " where ($1::text is null or q.namespace = $1) and ($2::text is null or q.task = $2)"
            + " order by q.priority desc, q.name";
    private static final String TAKE = "select * from queen.pop_sm_take($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    private static final String SHORTEN = "select queen.pop_sm_shorten($1, $2, $3, $4)";
    private static final String REST = "select queen.pop_sm_rest($1, $2, $3, $4)";
    private static final String DEAD_LETTER =
            "select queen.dead_letter_message_v1(m.partition_id, m.transaction_id, $3, $4)"
                    + " from unnest($1::uuid[], $2::text[]) m (partition_id, transaction_id)";

    private PopStore() {}

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

    /** The queues with that namespace and task, the more urgent first; null matches all. */
    public static Uni<List<String>> matching(Connection connection, String namespace, String task) {
        return connection.list(MATCHING, row -> row.getString(0), namespace, task);
    }

    /** Claims what can be claimed of the candidates and reads its messages, of each request up to so many payload bytes. */
    public static Uni<Taken> take(Connection connection, LeaseCall call, boolean again, long bytes) {
        return connection.query(TAKE, call.arguments(again).addValue(bytes)).map(rows -> taken(rows, call.size()));
    }

    /** Ends leases with what was {@code read} under them. */
    public static Uni<Void> shorten(
            Connection connection, UUID[] partitions, String[] groups, UUID[] leases, Long[] read) {
        return connection.run(SHORTEN, partitions, groups, leases, read);
    }

    /** Ends leases after so many seconds; until then no pop tries these partitions again. */
    public static Uni<Void> rest(
            Connection connection, UUID[] partitions, String[] groups, UUID[] leases, int seconds) {
        return connection.run(REST, partitions, groups, leases, seconds);
    }

    /** Makes messages that the group has passed its dead letters. */
    public static Uni<Void> deadLetter(
            Connection connection, UUID[] partitions, String[] transactions, String group, String error) {
        return connection.run(DEAD_LETTER, partitions, transactions, group, error);
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
