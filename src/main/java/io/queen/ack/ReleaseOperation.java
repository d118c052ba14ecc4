package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.pop.PopStore;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Gives back what was claimed for clients that went away: every list is one call of {@code pop_sm_release}. */
public final class ReleaseOperation implements BatchOperation<List<Claim>, Void> {
    private static final int BYTES = 64;

    private final BiConsumer<PartitionName, Claim> released;

    public ReleaseOperation(BiConsumer<PartitionName, Claim> released) {
        this.released = released;
    }

    @Override
    public int items(List<Claim> request) {
        return request.size();
    }

    @Override
    public long bytes(List<Claim> request) {
        return (long) BYTES * request.size();
    }

    @Override
    public Set<LockKey> locks(List<Claim> request) {
        Set<LockKey> keys = new HashSet<>();
        request.forEach(claim -> keys.add(new LockKey.OfConsumer(claim.partitionId(), claim.consumerGroup())));
        return keys;
    }

    @Override
    public Uni<List<Void>> run(Connection connection, List<List<Claim>> requests, boolean again) {
        List<Claim> claims = new ArrayList<>();
        requests.forEach(claims::addAll);
        return PopStore.release(
                        connection,
                        claims.stream().map(Claim::partitionId).toArray(UUID[]::new),
                        claims.stream().map(Claim::consumerGroup).toArray(String[]::new),
                        claims.stream().map(Claim::leaseId).toArray(UUID[]::new),
                        new Long[claims.size()])
                .invoke(() -> claims.forEach(
                        claim -> released.accept(new PartitionName(claim.queue(), claim.partition()), claim)))
                .map(done -> Collections.nCopies(requests.size(), null));
    }
}
