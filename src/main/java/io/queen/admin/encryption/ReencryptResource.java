package io.queen.admin.encryption;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.Audited;
import io.queen.web.FieldRules;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.time.Duration;
import org.jboss.resteasy.reactive.RestQuery;

/** Encrypts the stored payloads of a queue with the first key, as far as one request comes; {@code queen reencrypt} asks on. */
@Path("/api/v1/queues")
@Produces("application/json")
final class ReencryptResource {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ReencryptionStore store;
    private final PayloadCipher cipher;

    ReencryptResource(ReencryptionStore store, PayloadCipher cipher) {
        this.store = store;
        this.cipher = cipher;
    }

    /**
     * The answer.
     *
     * @param unreadable messages that no key opens; {@code problem} tells of the first
     * @param skipped messages that were removed meanwhile, or held by another transaction
     * @param next for {@code after} of the next request; null when the end of the queue is reached
     */
    @RegisterForReflection
    record Reencrypted(String queue, long reencrypted, long unreadable, long skipped, String problem, String next) {}

    @Audited
    @POST
    @Path("/{queue}/reencrypt")
    public Uni<Reencrypted> reencrypt(@PathParam("queue") String queue, @RestQuery String after) {
        String name = FieldRules.name(queue, "queue");
        Position position = Position.read(after);
        if (!cipher.enabled()) {
            throw new QueenException(ErrorCode.CONFLICT, "The server has no QUEEN_ENCRYPTION_KEYS to encrypt with");
        }
        return store.exists(name).flatMap(exists -> {
            if (!exists) {
                throw QueenException.queueNotFound(name);
            }
            return new Reencryption(store, cipher, name, PATIENCE).run(position);
        });
    }
}
