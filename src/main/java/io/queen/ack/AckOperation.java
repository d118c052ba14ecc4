package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.AckStatus;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Acknowledgments: every list is one call of {@code ack_list_v1}. */
@Singleton
public final class AckOperation implements BatchOperation<List<Ack>, List<AckResult>> {
    @Override
    public Operation kind() {
        return Operation.ACK;
    }

    @Override
    public int items(List<Ack> request) {
        return request.size();
    }

    @Override
    public Set<LockKey> locks(List<Ack> request) {
        Set<LockKey> keys = new HashSet<>();
        request.forEach(ack -> keys.add(new LockKey.OfConsumer(ack.partitionId(), ack.consumerGroup())));
        return keys;
    }

    @Override
    public Uni<List<List<AckResult>>> run(Connection connection, List<List<Ack>> requests, boolean again) {
        List<Ack> all = new ArrayList<>();
        requests.forEach(all::addAll);
        return AckStore.ack(connection, all, again).map(results -> share(requests, results));
    }

    private static List<List<AckResult>> share(List<List<Ack>> requests, List<AckResult> results) {
        List<List<AckResult>> shares = new ArrayList<>(requests.size());
        int start = 0;
        for (List<Ack> request : requests) {
            shares.add(results.subList(start, start + request.size()));
            start += request.size();
        }
        return shares;
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        UUID none = new UUID(0, 0);
        Ack ack = new Ack(none, "", "", none, AckStatus.COMPLETED, null);
        return AckStore.ack(connection, List.of(ack), false).replaceWithVoid();
    }
}
