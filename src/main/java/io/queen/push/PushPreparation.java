package io.queen.push;

import io.queen.database.Connection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What all pushes pass, alone or in a transaction: names become ids, payloads of encrypted queues are encrypted, and the
 * items become the arguments of one call.
 */
@Singleton
public final class PushPreparation {
    private final PartitionIdCache directory;
    private final QueueRules rules;
    private final PayloadCipher cipher;

    PushPreparation(PartitionIdCache directory, QueueRules rules, PayloadCipher cipher) {
        this.directory = directory;
        this.rules = rules;
        this.cipher = cipher;
    }

    /** A call ready to be sent, and the way back from its answer; limited when a queue has a limit. */
    public record Prepared(PushAssembly assembly, PushCall call, boolean limited) {}

    public Uni<Prepared> prepare(Connection connection, List<PushRequest> requests) {
        Set<PartitionName> lanes = PushOperation.lanes(requests);
        Set<String> queues = lanes.stream().map(PartitionName::queue).collect(Collectors.toSet());
        return directory
                .resolve(connection, lanes)
                .flatMap(ids ->
                        rules.of(connection, queues).map(ruled -> prepared(new PushAssembly(requests, ids), ruled)));
    }

    private Prepared prepared(PushAssembly assembly, Map<String, QueueRule> ruled) {
        boolean limited = ruled.values().stream().anyMatch(QueueRule::limited);
        return new Prepared(assembly, assembly.call(cipher, queue -> encrypts(queue, ruled)), limited);
    }

    private boolean encrypts(String queue, Map<String, QueueRule> ruled) {
        if (!ruled.get(queue).encrypted()) {
            return false;
        }
        if (!cipher.enabled()) {
            cipher.warnOnce(queue);
        }
        return cipher.enabled();
    }

    /** A partition was gone: its queue has been deleted. All are asked for again. */
    public void forget(List<PushRequest> requests) {
        directory.forget(PushOperation.lanes(requests));
    }
}
