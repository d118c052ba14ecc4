package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.push.WriteStore;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Set;

/** Renewals: every list is one call of {@code renew_list_v1}. Sending one twice does no harm. */
public final class RenewOperation implements BatchOperation<Renewal, RenewalResult> {
    private static final int BYTES = 32;

    @Override
    public int items(Renewal request) {
        return 1;
    }

    @Override
    public long bytes(Renewal request) {
        return BYTES;
    }

    @Override
    public Set<LockKey> locks(Renewal request) {
        return Set.of(new LockKey.OfLease(request.leaseId()));
    }

    @Override
    public Uni<List<RenewalResult>> run(Connection connection, List<Renewal> requests, boolean again) {
        return WriteStore.renew(connection, requests);
    }
}
