package io.queen.pop;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.push.PartitionIdCache;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** Takes batches of pops through the states; each batch on the connection it is given, side by side with others. */
@Singleton
public final class PopMachine {
    private final ReadyIndex rings;
    private final Subscriptions subscriptions;
    private final PartitionIdCache partitionIds;
    private final PopMetrics metrics;
    private final Pauses pauses;
    private final long maxBytes;

    PopMachine(
            ReadyIndex rings,
            Subscriptions subscriptions,
            PartitionIdCache partitionIds,
            PopMetrics metrics,
            Pauses pauses,
            QueenConfig config) {
        this.pauses = pauses;
        this.maxBytes = ByteSize.bytes(config.pop().maxBytes());
        this.rings = rings;
        this.subscriptions = subscriptions;
        this.partitionIds = partitionIds;
        this.metrics = metrics;
    }

    /**
     * One result per request, in order.
     *
     * @param again the batch was sent before and the connection died: leases it took then are its own
     */
    public Uni<List<PopResult>> run(Connection connection, List<PopRequest> requests, boolean again) {
        Resolver resolver = new Resolver(connection, rings, partitionIds, subscriptions, pauses, metrics);
        PopBatch batch = new PopBatch(connection, requests, resolver, metrics, again, maxBytes);
        return subscriptions.record(connection, requests).flatMap(recorded -> batch.run());
    }

    /** The queue was deleted through this server: what is remembered of it, its subscriptions too, does not hold. */
    public void forget(String queue) {
        rings.forget(queue);
        subscriptions.forget(queue);
    }
}
