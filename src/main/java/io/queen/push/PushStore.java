package io.queen.push;

import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.UUID;

/** The functions that store messages, on the connection they are given. */
public final class PushStore {
    private static final String PUSH =
            "select * from queen.push_list_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    private static final String PUSH_LIMITED =
            "select * from queen.push_limited_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

    private PushStore() {}

    /**
     * The arguments of {@code push_list_v1}: arrays over partitions (ascending by id) and over items (in order of arrival).
     * Those over items may be null when no item has any. {@code partition} and {@code nth} count from 1, and so do the items in {@code promised}, which {@code
     * push_limited_v1} never refuses.
     */
    public record Call(
            UUID[] partitionIds,
            Integer[] partitionCounts,
            Integer[] partition,
            Integer[] nth,
            String[] transactionIds,
            UUID[] messageIds,
            String[] payloads,
            UUID[] traceIds,
            Boolean[] encrypted,
            String[] producerSubs,
            String[] headers,
            OffsetDateTime[] deliverAts,
            Integer[] promised) {}

    /**
     * The answer of {@code push_list_v1} and {@code push_limited_v1}. Items count from 1; arrays are null for none.
     *
     * @param missing a partition is gone, nothing was stored
     * @param duplicates the items that were stored before, and {@code storedIds} the ids they have
     * @param refused the items that were not stored, and {@code refusals} why
     */
    public record Answer(
            boolean missing, Integer[] duplicates, UUID[] storedIds, Integer[] refused, String[] refusals) {}

    /**
     * Stores the items.
     *
     * @param limited a queue among them has a limit, so that items may be refused
     */
    static Uni<Answer> push(Connection connection, Call call, boolean limited) {
        return connection
                .query(
                        limited ? PUSH_LIMITED : PUSH,
                        limited ? arguments(call).addValue(call.promised()) : arguments(call))
                .map(rows -> answer(rows.iterator().next(), limited));
    }

    /** The arguments that a push and a transaction begin with. */
    public static Tuple arguments(Call call) {
        return Tuple.tuple()
                .addValue(call.partitionIds())
                .addValue(call.partitionCounts())
                .addValue(call.partition())
                .addValue(call.nth())
                .addValue(call.transactionIds())
                .addValue(call.messageIds())
                .addValue(call.payloads())
                .addValue(call.traceIds())
                .addValue(call.encrypted())
                .addValue(call.producerSubs())
                .addValue(call.headers())
                .addValue(call.deliverAts());
    }

    public static Answer answer(Row row, boolean limited) {
        return new Answer(
                row.getBoolean(0),
                row.getArrayOfIntegers(1),
                row.getArrayOfUUIDs(2),
                limited ? row.getArrayOfIntegers(3) : null,
                limited ? row.getArrayOfStrings(4) : null);
    }
}
