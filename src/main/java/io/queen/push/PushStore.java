package io.queen.push;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The functions that a push calls, on the connection it is given. */
public final class PushStore {
    private static final String RESOLVE = "select queen.resolve_partitions_v1($1, $2)";
    private static final String FIND = "select p.id from unnest($1::text[], $2::text[]) with ordinality"
            + " l (queue, partition, ord) left join queen.queues q on q.name = l.queue"
            + " left join queen.partitions p on p.queue_id = q.id and p.name = l.partition order by l.ord";
    private static final String PUSH = "select * from queen.push_list_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    private static final String PUSH_LIMITED =
            "select * from queen.push_limited_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    private static final String RULES = "select q.name, q.encryption_enabled, q.max_size > 0 from queen.queues q"
            + " where q.name = any ($1) and (q.encryption_enabled or q.max_size > 0)";
    private static final QueueRules.Rule NO_RULE = new QueueRules.Rule(false, false);

    private PushStore() {}

    /**
     * The arguments of {@code push_list_v1}: arrays over partitions (ascending by id) and over items (in order of arrival).
     * {@code partition} and {@code nth} count from 1, and so do the items in {@code promised}, which {@code
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
            Integer[] promised) {}

    /**
     * The answer of {@code push_list_v1} and {@code push_limited_v1}. Items count from 1; arrays are null for none.
     *
     * @param missing a partition is gone, nothing was stored
     * @param duplicates the items that were stored before, and {@code storedIds} the ids they have
     * @param refused the items that were not stored, and {@code refusals} why
     */
    record Answer(boolean missing, Integer[] duplicates, UUID[] storedIds, Integer[] refused, String[] refusals) {}

    /** The ids of the partitions, in order; unknown queues and partitions are created. */
    static Uni<UUID[]> resolve(Connection connection, List<PartitionName> names) {
        String[] queues = names.stream().map(PartitionName::queue).toArray(String[]::new);
        String[] partitions = names.stream().map(PartitionName::partition).toArray(String[]::new);
        return connection.one(RESOLVE, row -> row.getArrayOfUUIDs(0), queues, partitions);
    }

    /** The ids of partitions by name, in order, null for those that do not exist. */
    static Uni<UUID[]> find(Connection connection, List<PartitionName> names) {
        String[] queues = names.stream().map(PartitionName::queue).toArray(String[]::new);
        String[] partitions = names.stream().map(PartitionName::partition).toArray(String[]::new);
        return connection.query(FIND, Tuple.of(queues, partitions)).map(rows -> {
            UUID[] ids = new UUID[names.size()];
            int next = 0;
            for (Row row : rows) {
                ids[next++] = row.getUUID(0);
            }
            return ids;
        });
    }

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

    /** The rules of the queues; one that is not there has none. */
    static Uni<Map<String, QueueRules.Rule>> rules(Connection connection, Collection<String> names) {
        return connection
                .query(RULES, Tuple.tuple().addValue(names.toArray(String[]::new)))
                .map(rows -> {
                    Map<String, QueueRules.Rule> rules = new HashMap<>();
                    names.forEach(name -> rules.put(name, NO_RULE));
                    for (Row row : rows) {
                        rules.put(row.getString(0), new QueueRules.Rule(row.getBoolean(1), row.getBoolean(2)));
                    }
                    return rules;
                });
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
                .addValue(call.producerSubs());
    }

    private static Answer answer(Row row, boolean limited) {
        return new Answer(
                row.getBoolean(0),
                row.getArrayOfIntegers(1),
                row.getArrayOfUUIDs(2),
                limited ? row.getArrayOfIntegers(3) : null,
                limited ? row.getArrayOfStrings(4) : null);
    }
}
