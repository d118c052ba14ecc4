package io.queen.sidecar;

import io.queen.store.Connection;
import io.queen.store.Lane;
import io.queen.store.PushCall;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What all pushes pass, alone or in a transaction: names become ids, payloads of encrypted queues are encrypted, and the
 * items become the arguments of one call.
 */
@Singleton
final class PushPreparation {
    private final LaneDirectory directory;
    private final EncryptedQueues encryptedQueues;
    private final PayloadCipher cipher;

    PushPreparation(LaneDirectory directory, EncryptedQueues encryptedQueues, PayloadCipher cipher) {
        this.directory = directory;
        this.encryptedQueues = encryptedQueues;
        this.cipher = cipher;
    }

    /** A call ready to be sent, and the way back from its answer. */
    record Prepared(PushAssembly assembly, PushCall call) {}

    Uni<Prepared> prepare(Connection connection, List<PushRequest> requests) {
        Set<Lane> lanes = PushWork.lanes(requests);
        Set<String> queues = lanes.stream().map(Lane::queue).collect(Collectors.toSet());
        return directory
                .resolve(connection, lanes)
                .flatMap(ids -> encryptedQueues.among(connection, queues).map(encrypted -> {
                    PushAssembly assembly = new PushAssembly(requests, ids);
                    return new Prepared(assembly, assembly.call(cipher, encrypted));
                }));
    }

    /** A partition was gone: its queue has been deleted. All are asked for again. */
    void forget(List<PushRequest> requests) {
        directory.forget(PushWork.lanes(requests));
    }
}
