package io.queen.pop;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.ReadyStore;
import io.queen.push.PartitionIdCache;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Pops: every batch goes through the state machine together, then payloads are opened. */
@Singleton
final class PopOperation implements BatchOperation<PopRequest, PopResult> {
    private final ReadyIndex index;
    private final Subscriptions subscriptions;
    private final PartitionIdCache partitionIds;
    private final PopMetrics metrics;
    private final PayloadOpening opening;
    private final long maxBytes;

    PopOperation(
            ReadyIndex index,
            Subscriptions subscriptions,
            PartitionIdCache partitionIds,
            PopMetrics metrics,
            PayloadOpening opening,
            QueenConfig config) {
        this.index = index;
        this.subscriptions = subscriptions;
        this.partitionIds = partitionIds;
        this.metrics = metrics;
        this.opening = opening;
        this.maxBytes = ByteSize.bytes(config.pop().maxBytes());
    }

    @Override
    public Operation kind() {
        return Operation.POP;
    }

    /** The messages it got. */
    @Override
    public int items(PopRequest request, PopResult answer) {
        return answer.messages().size();
    }

    /** None: a pop skips what others hold. */
    @Override
    public Set<LockKey> locks(PopRequest request) {
        return Set.of();
    }

    /** As if the partition were locked, which it is. */
    @Override
    public Optional<PopResult> whileLocked(PopRequest request) {
        return Optional.of(PopResult.empty(-1));
    }

    @Override
    public Uni<List<PopResult>> run(Connection connection, List<PopRequest> requests, boolean again) {
        PopStatements statements = new PopStore(connection, partitionIds);
        LeaseStatements leases = new LeaseStore(connection);
        FilteredQueues filtered = new FilteredQueues(
                statements, index, (request, queues) -> subscriptions.record(connection, request, queues));
        Resolver resolver = new Resolver(new ReadyStore(connection), index, metrics, filtered);
        PopBatch batch = new PopBatch(statements, leases, resolver, metrics, requests, again, maxBytes);
        return subscriptions
                .record(connection, requests)
                .flatMap(done -> batch.run())
                .flatMap(results -> opening.open(leases, results));
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        return PopWarmUp.on(connection, new PopStore(connection, partitionIds), metrics);
    }
}
