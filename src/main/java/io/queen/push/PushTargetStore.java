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

/** What a push, or a pop, asks about the queues and partitions that it names; the answers are remembered. */
final class PushTargetStore {
    private static final String RESOLVE = "select queen.resolve_partitions_v1($1, $2)";
    private static final String FIND = "select p.id from unnest($1::text[], $2::text[]) with ordinality"
            + " l (queue, partition, ord) left join queen.queues q on q.name = l.queue"
            + " left join queen.partitions p on p.queue_id = q.id and p.name = l.partition order by l.ord";
    private static final String RULES = "select q.name, q.encryption_enabled, q.max_size > 0 from queen.queues q"
            + " where q.name = any ($1) and (q.encryption_enabled or q.max_size > 0)";
    private static final QueueRules.Rule NO_RULE = new QueueRules.Rule(false, false);

    private PushTargetStore() {}

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
        return connection.list(FIND, row -> row.getUUID(0), queues, partitions).map(ids -> ids.toArray(UUID[]::new));
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
}
