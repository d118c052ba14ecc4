package io.queen.push;

import io.queen.database.Connection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Pushes: every batch is one call of {@code push_list_v1}, after a look-up of partitions met for the first time. */
@Singleton
public final class PushOperation implements BatchOperation<PushRequest, List<PushResult>> {
    private static final int MAX_TRIES = 3;

    private final PartitionIdCache ids;
    private final QueueRules rules;
    private final PayloadCipher cipher;

    PushOperation(PartitionIdCache ids, QueueRules rules, PayloadCipher cipher) {
        this.ids = ids;
        this.rules = rules;
        this.cipher = cipher;
    }

    @Override
    public Operation kind() {
        return Operation.PUSH;
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
        return partitions(List.of(request)).stream()
                .map(LockKey.OfPartition::new)
                .collect(Collectors.toSet());
    }

    @Override
    public Uni<List<List<PushResult>>> run(Connection connection, List<PushRequest> requests, boolean again) {
        return attempt(connection, requests, MAX_TRIES);
    }

    private Uni<List<List<PushResult>>> attempt(Connection connection, List<PushRequest> requests, int tries) {
        return prepare(connection, requests)
                .flatMap(prepared -> PushStore.push(connection, prepared.call(), prepared.limited())
                        .flatMap(answer -> {
                            if (answer.missing()) {
                                forget(requests);
                                return retry(connection, requests, tries);
                            }
                            return Uni.createFrom().item(prepared.batch().results(answer));
                        }));
    }

    private Uni<List<List<PushResult>>> retry(Connection connection, List<PushRequest> requests, int tries) {
        return tries == 1 ? Uni.createFrom().failure(deletedAgainAndAgain()) : attempt(connection, requests, tries - 1);
    }

    public static IllegalStateException deletedAgainAndAgain() {
        return new IllegalStateException("a queue is deleted again and again while pushed to");
    }

    /** A call ready to be sent, and the way back from its answer; limited when a queue has a limit. */
    public record Prepared(PushBatch batch, PushStore.Call call, boolean limited) {}

    /** What all pushes pass, alone or in a transaction: names become ids, payloads of encrypted queues are encrypted. */
    public Uni<Prepared> prepare(Connection connection, List<PushRequest> requests) {
        Set<PartitionName> partitions = partitions(requests);
        Set<String> queues = partitions.stream().map(PartitionName::queue).collect(Collectors.toSet());
        return ids.resolve(connection, partitions)
                .flatMap(found ->
                        rules.of(connection, queues).map(ruled -> prepared(new PushBatch(requests, found), ruled)));
    }

    private Prepared prepared(PushBatch batch, Map<String, QueueRules.Rule> ruled) {
        boolean limited = ruled.values().stream().anyMatch(QueueRules.Rule::limited);
        return new Prepared(
                batch, batch.call(cipher, queue -> ruled.get(queue).encrypted() && cipher.encrypts(queue)), limited);
    }

    /** A partition was gone: its queue has been deleted. All are asked for again. */
    public void forget(List<PushRequest> requests) {
        ids.forget(partitions(requests));
    }

    private static Set<PartitionName> partitions(List<PushRequest> requests) {
        Set<PartitionName> names = new HashSet<>();
        for (PushRequest request : requests) {
            for (PushItem item : request.items()) {
                names.add(item.name());
            }
        }
        return names;
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        return PushWarmUp.on(connection);
    }
}
