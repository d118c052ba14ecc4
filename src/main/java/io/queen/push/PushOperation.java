package io.queen.push;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.smallrye.mutiny.Uni;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pushes: every list is one call of {@code push_list_v1}, after a look-up of partitions met for the first time. */
public final class PushOperation implements BatchOperation<PushRequest, List<PushResult>> {
    private static final int MAX_TRIES = 3;

    private final PushPreparation preparation;

    public PushOperation(PushPreparation preparation) {
        this.preparation = preparation;
    }

    @Override
    public int items(PushRequest request) {
        return request.items().size();
    }

    @Override
    public long bytes(PushRequest request) {
        return request.bytes();
    }

    @Override
    public Set<LockKey> locks(PushRequest request) {
        Set<LockKey> keys = new HashSet<>();
        lanes(List.of(request)).forEach(lane -> keys.add(new LockKey.OfLane(lane)));
        return keys;
    }

    @Override
    public Uni<List<List<PushResult>>> run(Connection connection, List<PushRequest> requests, boolean again) {
        return attempt(connection, requests, MAX_TRIES);
    }

    private Uni<List<List<PushResult>>> attempt(Connection connection, List<PushRequest> requests, int tries) {
        return preparation
                .prepare(connection, requests)
                .flatMap(prepared -> WriteStore.push(connection, prepared.call(), prepared.limited())
                        .flatMap(answer -> {
                            if (answer.missing()) {
                                preparation.forget(requests);
                                return retry(connection, requests, tries);
                            }
                            return Uni.createFrom().item(prepared.assembly().results(answer));
                        }));
    }

    private Uni<List<List<PushResult>>> retry(Connection connection, List<PushRequest> requests, int tries) {
        return tries == 1 ? Uni.createFrom().failure(deletedAgainAndAgain()) : attempt(connection, requests, tries - 1);
    }

    public static IllegalStateException deletedAgainAndAgain() {
        return new IllegalStateException("a queue is deleted again and again while pushed to");
    }

    static Set<PartitionName> lanes(List<PushRequest> requests) {
        Set<PartitionName> lanes = new HashSet<>();
        for (PushRequest request : requests) {
            for (PushItem item : request.items()) {
                lanes.add(new PartitionName(item.queue(), item.partition()));
            }
        }
        return lanes;
    }
}
