package io.queen.transaction;

import io.queen.ack.AckStore;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.push.PushStore;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions that a transaction calls, on the connection it is given. */
final class TransactionStore {
    private static final String TRANSACTION = "select * from queen.transaction_list_v1($1, $2, $3, $4, $5, $6, $7, $8,"
            + " $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)";
    private static final String STORED =
            "select m.id from queen.messages m where m.partition_id = $1 and m.transaction_id = $2";

    private TransactionStore() {}

    /** The arguments of {@code transaction_list_v1}; the operations are the places of pushes and acks among all, from 0. */
    record Call(
            PushStore.Call push,
            Integer[] pushOperations,
            List<Ack> acks,
            Integer[] ackOperations,
            UUID[] requiredLeases) {}

    /**
     * The answer of {@code transaction_list_v1}.
     *
     * @param missing a partition to push to is gone, nothing was done
     * @param acks what became of each ack
     */
    record Answer(boolean missing, List<AckResult> acks) {}

    /** Applies all or fails; the failure of an operation has its own SQLSTATE, see {@link DatabaseFailure}. */
    static Uni<Answer> transaction(Connection connection, Call call, boolean again) {
        Tuple arguments = PushStore.arguments(call.push()).addValue(call.pushOperations());
        AckStore.arguments(arguments, call.acks())
                .addValue(call.ackOperations())
                .addValue(call.requiredLeases())
                .addValue(again);
        return connection.query(TRANSACTION, arguments).map(TransactionStore::answer);
    }

    /** The id of the message with that transaction id, null when there is none. */
    static Uni<UUID> stored(Connection connection, UUID partitionId, String transactionId) {
        return connection
                .query(STORED, Tuple.of(partitionId, transactionId))
                .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getUUID(0));
    }

    private static Answer answer(RowSet<Row> rows) {
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
        return new Answer(row.getBoolean(0), acks);
    }
}
