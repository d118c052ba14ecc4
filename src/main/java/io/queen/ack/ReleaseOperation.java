package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Claim;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives back what was claimed for clients that went away: every list is one call of {@code pop_sm_release}. */
@Singleton
final class ReleaseOperation implements BatchOperation<List<Claim>, Void> {
    @Override
    public Operation kind() {
        return Operation.RELEASE;
    }

    @Override
    public int items(List<Claim> request) {
        return request.size();
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
        return AckStore.release(connection, claims, new Long[claims.size()])
                .map(done -> Collections.nCopies(requests.size(), null));
    }
}
