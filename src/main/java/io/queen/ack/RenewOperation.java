package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Renewals: every list is one call of {@code renew_list_v1}. Sending one twice does no harm. */
@Singleton
final class RenewOperation implements BatchOperation<Renewal, RenewalResult> {
    @Override
    public Operation kind() {
        return Operation.RENEW;
    }

    @Override
    public Set<LockKey> locks(Renewal request) {
        return Set.of(new LockKey.OfLease(request.leaseId()));
    }

    @Override
    public Uni<List<RenewalResult>> run(Connection connection, List<Renewal> requests, boolean again) {
        return AckStore.renew(connection, requests);
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        return AckStore.renew(connection, List.of(new Renewal(new UUID(0, 0), 1)))
                .replaceWithVoid();
    }
}
