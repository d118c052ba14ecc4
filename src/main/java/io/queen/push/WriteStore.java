package io.queen.push;

import io.queen.ack.AckCall;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.AckResult;
import io.queen.message.PartitionName;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.message.RenewalResult.Outcome;
import io.queen.transaction.TransactionAnswer;
import io.queen.transaction.TransactionCall;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions that a sidecar writes with: one method each, on the connection it is given. */
public final class WriteStore {
    private static final String RESOLVE = "select queen.resolve_partitions_v1($1, $2)";
    private static final String PUSH = "select * from queen.push_list_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    private static final String PUSH_LIMITED =
            "select * from queen.push_limited_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    private static final String ACK = "select * from queen.ack_list_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String RENEW = "select * from queen.renew_list_v1($1, $2)";
    private static final String TRANSACTION = "select * from queen.transaction_list_v1($1, $2, $3, $4, $5, $6, $7, $8,"
            + " $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
    private static final String STORED =
            "select m.id from queen.messages m where m.partition_id = $1 and m.transaction_id = $2";

    private WriteStore() {}

    /** The ids of the lanes, in order; unknown queues and partitions are created. */
    public static Uni<UUID[]> resolve(Connection connection, List<PartitionName> lanes) {
        String[] queues = lanes.stream().map(PartitionName::queue).toArray(String[]::new);
        String[] partitions = lanes.stream().map(PartitionName::partition).toArray(String[]::new);
        return connection
                .sql()
                .preparedQuery(RESOLVE)
                .execute(Tuple.of(queues, partitions))
                .map(rows -> rows.iterator().next().getArrayOfUUIDs(0));
    }

    /**
     * Stores the items.
     *
     * @param limited a queue among them has a limit, so that items may be refused
     */
    public static Uni<PushAnswer> push(Connection connection, PushCall call, boolean limited) {
        return connection
                .sql()
                .preparedQuery(limited ? PUSH_LIMITED : PUSH)
                .execute(limited ? pushArguments(call).addValue(call.promised()) : pushArguments(call))
                .map(rows -> pushAnswer(rows.iterator().next(), limited));
    }

    /**
     * One result per ack, in order.
     *
     * @param again the call was sent before and its outcome is not known
     */
    public static Uni<List<AckResult>> ack(Connection connection, AckCall call, boolean again) {
        return connection
                .sql()
                .preparedQuery(ACK)
                .execute(ackArguments(Tuple.tuple(), call).addValue(again))
                .map(WriteStore::ackResults);
    }

    /** One result per renewal, in order. */
    public static Uni<List<RenewalResult>> renew(Connection connection, List<Renewal> renewals) {
        UUID[] leases = renewals.stream().map(Renewal::leaseId).toArray(UUID[]::new);
        Integer[] seconds = renewals.stream().map(Renewal::seconds).toArray(Integer[]::new);
        return connection
                .sql()
                .preparedQuery(RENEW)
                .execute(Tuple.of(leases, seconds))
                .map(WriteStore::renewalResults);
    }

    /** Applies all or fails; the failure of an operation has its own SQLSTATE, see {@link DatabaseFailure}. */
    public static Uni<TransactionAnswer> transaction(Connection connection, TransactionCall call, boolean again) {
        Tuple arguments = pushArguments(call.push()).addValue(call.pushOperations());
        ackArguments(arguments, call.acks())
                .addValue(call.ackOperations())
                .addValue(call.requiredLeases())
                .addValue(again);
        return connection.sql().preparedQuery(TRANSACTION).execute(arguments).map(WriteStore::transactionAnswer);
    }

    /** The id of the message with that transaction id, null when there is none. */
    public static Uni<UUID> stored(Connection connection, UUID partitionId, String transactionId) {
        return connection
                .sql()
                .preparedQuery(STORED)
                .execute(Tuple.of(partitionId, transactionId))
                .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getUUID(0));
    }

    private static Tuple pushArguments(PushCall call) {
        return Tuple.tuple()
                .addValue(call.laneIds())
                .addValue(call.laneCounts())
                .addValue(call.lane())
                .addValue(call.nth())
                .addValue(call.transactionIds())
                .addValue(call.messageIds())
                .addValue(call.payloads())
                .addValue(call.traceIds())
                .addValue(call.encrypted())
                .addValue(call.producerSubs());
    }

    private static Tuple ackArguments(Tuple tuple, AckCall call) {
        return tuple.addValue(call.partitionIds())
                .addValue(call.transactionIds())
                .addValue(call.consumerGroups())
                .addValue(call.leaseIds())
                .addValue(call.statuses())
                .addValue(call.errors());
    }

    private static PushAnswer pushAnswer(Row row, boolean limited) {
        return new PushAnswer(
                row.getBoolean(0),
                row.getArrayOfIntegers(1),
                row.getArrayOfUUIDs(2),
                limited ? row.getArrayOfIntegers(3) : null,
                limited ? row.getArrayOfStrings(4) : null);
    }

    private static List<AckResult> ackResults(RowSet<Row> rows) {
        List<AckResult> results = new ArrayList<>(rows.size());
        for (Row row : rows) {
            results.add(new AckResult(
                    row.getString(0),
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    row.getBoolean(5)));
        }
        return results;
    }

    private static List<RenewalResult> renewalResults(RowSet<Row> rows) {
        List<RenewalResult> results = new ArrayList<>(rows.size());
        for (Row row : rows) {
            OffsetDateTime expiresAt = row.getOffsetDateTime(1);
            Outcome otherwise = row.getBoolean(0) ? Outcome.EXPIRED : Outcome.NOT_FOUND;
            results.add(new RenewalResult(expiresAt == null ? otherwise : Outcome.RENEWED, expiresAt));
        }
        return results;
    }

    private static TransactionAnswer transactionAnswer(RowSet<Row> rows) {
        Row row = rows.iterator().next();
        String[] queues = row.getArrayOfStrings(1);
        List<AckResult> acks = new ArrayList<>();
        for (int i = 0; queues != null && i < queues.length; i++) {
            acks.add(new AckResult(
                    null,
                    queues[i],
                    row.getArrayOfStrings(2)[i],
                    row.getArrayOfBooleans(3)[i],
                    row.getArrayOfBooleans(4)[i],
                    row.getArrayOfBooleans(5)[i]));
        }
        return new TransactionAnswer(row.getBoolean(0), acks);
    }
}
