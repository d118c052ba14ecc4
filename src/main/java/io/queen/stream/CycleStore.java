package io.queen.stream;

import io.queen.database.Connection;
import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.push.PushStore;
import io.queen.stream.Cycle.StateOperation;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions that cycles and their workers call, on the connection they are given. */
final class CycleStore {
    private static final String CYCLES = "select * from queen.cycle_list_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,"
            + " $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)";
    private static final String STORED = "select i.ord::integer, m.id"
            + " from unnest($2::integer[], $3::text[]) with ordinality i (nr, transaction_id, ord)"
            + " join queen.messages m on m.partition_id = ($1::uuid[])[i.nr] and m.transaction_id = i.transaction_id";
    private static final String STATE = "select queen.stream_state_v1($1, $2, $3, $4, $5, $6)";

    private CycleStore() {}

    /**
     * The answer of {@code cycle_list_v1}; arrays have an element per cycle.
     *
     * @param errors why a cycle can't be applied; {@code done} when it was applied before. When any is set nothing was done
     */
    record Answer(
            PushStore.Answer push,
            String[] errors,
            Boolean[] done,
            String[] queues,
            String[] partitions,
            Boolean[] released,
            Boolean[] dead,
            Boolean[] pending) {}

    /** Applies all or none; the failure of a cycle has its own SQLSTATE. */
    static Uni<Answer> apply(Connection connection, PushStore.Call call, boolean limited, List<Cycle> cycles) {
        Tuple arguments = PushStore.arguments(call).addValue(limited);
        cycles(arguments, cycles);
        operations(arguments, cycles);
        return connection
                .query(CYCLES, arguments)
                .map(rows -> answer(rows.iterator().next()));
    }

    private static void cycles(Tuple arguments, List<Cycle> cycles) {
        List<Ack> acks = new ArrayList<>();
        cycles.forEach(cycle -> acks.add(cycle.ack()));
        arguments
                .addValue(cycles.stream().map(Cycle::queryId).toArray(UUID[]::new))
                .addValue(cycles.stream().map(Cycle::partitionId).toArray(UUID[]::new))
                .addValue(cycles.stream().map(Cycle::group).toArray(String[]::new))
                .addValue(cycles.stream().map(Cycle::id).toArray(UUID[]::new))
                .addValue(acks.stream()
                        .map(ack -> ack == null ? null : ack.transactionId())
                        .toArray(String[]::new))
                .addValue(acks.stream()
                        .map(ack -> ack == null ? null : ack.leaseId())
                        .toArray(UUID[]::new))
                .addValue(acks.stream().map(CycleStore::isDead).toArray(Boolean[]::new))
                .addValue(acks.stream()
                        .map(ack -> ack == null ? null : ack.error())
                        .toArray(String[]::new))
                .addValue(cycles.stream().map(Cycle::release).toArray(Boolean[]::new));
    }

    static boolean isDead(Ack ack) {
        return ack != null && ack.status() != AckStatus.COMPLETED;
    }

    private static void operations(Tuple arguments, List<Cycle> cycles) {
        List<Integer> places = new ArrayList<>();
        List<StateOperation> all = new ArrayList<>();
        for (int i = 0; i < cycles.size(); i++) {
            for (StateOperation operation : cycles.get(i).operations()) {
                places.add(i + 1);
                all.add(operation);
            }
        }
        arguments
                .addValue(places.toArray(Integer[]::new))
                .addValue(all.stream().map(StateOperation::key).toArray(String[]::new))
                .addValue(all.stream().map(StateOperation::value).toArray(String[]::new))
                .addValue(all.stream().map(StateOperation::windowEnd).toArray(Double[]::new));
    }

    private static Answer answer(Row row) {
        return new Answer(
                new PushStore.Answer(row.getBoolean(0), row.getArrayOfIntegers(3), row.getArrayOfUUIDs(4), null, null),
                row.getArrayOfStrings(1),
                row.getArrayOfBooleans(2),
                row.getArrayOfStrings(5),
                row.getArrayOfStrings(6),
                row.getArrayOfBooleans(7),
                row.getArrayOfBooleans(8),
                row.getArrayOfBooleans(9));
    }

    /** As if all items of the call that are stored were duplicates: those that are its own are told apart by their ids. */
    static Uni<PushStore.Answer> stored(Connection connection, PushStore.Call call) {
        return connection
                .query(STORED, Tuple.of(call.partitionIds(), call.partition(), call.transactionIds()))
                .map(rows -> {
                    List<Integer> items = new ArrayList<>();
                    List<UUID> ids = new ArrayList<>();
                    for (Row row : rows) {
                        items.add(row.getInteger(0));
                        ids.add(row.getUUID(1));
                    }
                    return new PushStore.Answer(
                            false, items.toArray(Integer[]::new), ids.toArray(UUID[]::new), null, null);
                });
    }

    /** The state as a JSON array; null when it has more than so many bytes. */
    static Uni<String> state(Connection connection, StateQuery query, long maxBytes) {
        return connection.json(
                STATE, query.queryId(), query.partitionId(), query.keys(), query.prefix(), query.ripe(), maxBytes);
    }
}
