package io.queen.sidecar;

import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Asks what other transactions hold of what requests need: one statement for all kinds, that never waits itself. */
final class LockStore {
    private static final String HELD = "select h.kind, h.ord, coalesce(h.holder::text, '')"
            + " from (select 0 as kind, * from queen.held_partitions_v1($1, $2)"
            + " union all select 1, * from queen.held_consumers_v1($3, $4)"
            + " union all select 2, * from queen.held_leases_v1($5)"
            + " union all select 3, * from queen.held_cycles_v1($6, $7)) h";

    private LockStore() {}

    /**
     * Those of the keys that another transaction holds right now, with that transaction: it is for comparing, and empty
     * when it can't be seen.
     */
    static Uni<Map<LockKey, String>> held(Connection connection, Collection<LockKey> keys) {
        List<LockKey.OfPartition> partitions = of(keys, LockKey.OfPartition.class);
        List<LockKey.OfConsumer> consumers = of(keys, LockKey.OfConsumer.class);
        List<LockKey.OfLease> leases = of(keys, LockKey.OfLease.class);
        List<LockKey.OfCycle> cycles = of(keys, LockKey.OfCycle.class);
        Tuple arguments = Tuple.of(
                partitions.stream().map(key -> key.name().queue()).toArray(String[]::new),
                partitions.stream().map(key -> key.name().partition()).toArray(String[]::new),
                consumers.stream().map(LockKey.OfConsumer::partitionId).toArray(UUID[]::new),
                consumers.stream().map(LockKey.OfConsumer::consumerGroup).toArray(String[]::new),
                leases.stream().map(LockKey.OfLease::leaseId).toArray(UUID[]::new));
        arguments.addValue(cycles.stream().map(LockKey.OfCycle::queryId).toArray(UUID[]::new));
        arguments.addValue(cycles.stream().map(LockKey.OfCycle::partitionId).toArray(UUID[]::new));
        return connection
                .query(HELD, arguments)
                .map(rows -> holders(rows, List.of(partitions, consumers, leases, cycles)));
    }

    private static <K extends LockKey> List<K> of(Collection<LockKey> keys, Class<K> kind) {
        return keys.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static Map<LockKey, String> holders(RowSet<Row> rows, List<List<? extends LockKey>> asked) {
        Map<LockKey, String> holders = new HashMap<>();
        for (Row row : rows) {
            LockKey key = asked.get(row.getInteger(0)).get(row.getInteger(1) - 1);
            holders.put(key, row.getString(2));
        }
        return holders;
    }
}
