package io.queen.stream;

import io.queen.database.Connection;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads of state: a worker reads once for every cycle, so they go over the connections for messages. Each is a call of its
 * own, because what is answered may be large. The answer is empty when it would be too large.
 */
@Singleton
final class StateReadOperation implements BatchOperation<StateQuery, Optional<String>> {
    /** Bytes of an answer: it is built in memory. */
    static final long MAX_BYTES = 16L * 1024 * 1024;

    @Override
    public Operation kind() {
        return Operation.STATE;
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public Set<LockKey> locks(StateQuery query) {
        return Set.of();
    }

    @Override
    public Uni<List<Optional<String>>> run(Connection connection, List<StateQuery> queries, boolean again) {
        return CycleStore.state(connection, queries.get(0), MAX_BYTES).map(rows -> List.of(Optional.ofNullable(rows)));
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        UUID none = new UUID(0, 0);
        return CycleStore.state(connection, new StateQuery(none, none, null, "", null), 0)
                .replaceWithVoid();
    }
}
