package io.queen.pop;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.push.PartitionIdCache;
import io.queen.sidecar.Column;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The functions of the POP state machine, on one connection. */
record PopStore(Connection connection, PartitionIdCache partitionIds) implements PopStatements {
    private static final String QUEUES = "select q.name from queen.queues q"
            + " where ($1::text is null or q.namespace = $1) and ($2::text is null or q.task = $2)"
            + " order by q.priority desc, q.name";
    private static final String TAKE = "select * from queen.pop_sm_take($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

    @Override
    public Uni<Map<PartitionName, UUID>> find(Collection<PartitionName> partitions) {
        return partitionIds.find(connection, partitions);
    }

    @Override
    public void forget(PartitionName partition) {
        partitionIds.forget(partition);
    }

    @Override
    public Uni<List<String>> queues(PopTarget.Filter filter) {
        return connection.list(QUEUES, row -> row.getString(0), filter.namespace(), filter.task());
    }

    @Override
    public Uni<Void> take(List<Candidate> candidates, boolean again, long maxBytes) {
        Tuple arguments = Tuple.tuple()
                .addValue(numbers(candidates))
                .addValue(Column.of(candidates, Candidate::partitionId, UUID[]::new))
                .addValue(Column.of(candidates, one -> one.request().consumerGroup(), String[]::new))
                .addValue(Column.of(candidates, one -> one.request().batch(), Integer[]::new))
                .addValue(Column.of(candidates, one -> one.request().partitions(), Integer[]::new))
                .addValue(Column.of(candidates, one -> one.request().leaseId(), UUID[]::new))
                .addValue(Column.of(candidates, one -> one.request().autoAck(), Boolean[]::new))
                .addValue(Column.of(candidates, one -> start(one.request()), OffsetDateTime[]::new))
                .addValue(Column.of(candidates, one -> one.request().holder(), String[]::new))
                .addValue(again)
                .addValue(maxBytes);
        return connection
                .query(TAKE, arguments)
                .invoke(rows -> rows.forEach(row -> PopRowStore.read(row, candidates.get(row.getInteger(0) - 1))))
                .replaceWithVoid();
    }

    /** The function tells the candidates of one attempt by a common number. */
    private static Integer[] numbers(List<Candidate> candidates) {
        Integer[] numbers = new Integer[candidates.size()];
        numbers[0] = 0;
        for (int i = 1; i < numbers.length; i++) {
            boolean same = candidates.get(i).attempt() == candidates.get(i - 1).attempt();
            numbers[i] = numbers[i - 1] + (same ? 0 : 1);
        }
        return numbers;
    }

    private static OffsetDateTime start(PopRequest request) {
        return request.subscribes() ? request.subscription().time() : null;
    }
}
