package io.queen.pop;

import io.queen.database.Connection;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.pop.ready.ReadyStore;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Pops: every list goes through the state machine together, then payloads are opened. */
@Singleton
final class PopOperation implements BatchOperation<PopRequest, PopResult> {
    private static final int BYTES = 256;

    private final PopMachine machine;
    private final PayloadOpening opening;

    PopOperation(PopMachine machine, PayloadOpening opening) {
        this.machine = machine;
        this.opening = opening;
    }

    @Override
    public Operation kind() {
        return Operation.POP;
    }

    @Override
    public int items(PopRequest request) {
        return 1;
    }

    /** The messages it got. */
    @Override
    public int items(PopRequest request, PopResult answer) {
        return answer.messages().size();
    }

    @Override
    public long bytes(PopRequest request) {
        return BYTES;
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
        return machine.run(connection, requests, again).flatMap(results -> opening.open(connection, results));
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        UUID none = new UUID(0, 0);
        LeaseCall lease = new LeaseCall();
        lease.add(0, new PopRequest(new PopTarget.Queue(""), "", 1, 1, false, null, none, null), none);
        return ReadyStore.news(connection, List.of(new ReadyStore.Question("", "", null, null, 1)))
                .flatMap(swept -> ReadyStore.news(
                        connection,
                        List.of(new ReadyStore.Question("", "", swept.get(0).mark(), null, 1))))
                .flatMap(done -> PopStore.take(connection, lease, false, 1))
                .replaceWithVoid();
    }
}
