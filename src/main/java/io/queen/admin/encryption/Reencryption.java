package io.queen.admin.encryption;

import io.queen.admin.encryption.ReencryptionStore.Stale;
import io.queen.encryption.OpenedPayload;
import io.queen.encryption.PayloadCipher;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One part of a walk over a queue that encrypts payloads anew, for a request that may not take forever. Every portion is
 * read, opened and encrypted here, and stored by one short statement; nothing is locked meanwhile. What is done stays
 * done: a walk that was broken off may begin anew, and passes quickly over what is encrypted with the newest key.
 */
final class Reencryption {
    private static final int MESSAGES = 1000;
    private static final long BYTES = 1L << 20;

    private final ReencryptionStore store;
    private final PayloadCipher cipher;
    private final String queue;
    private final long end;
    private long reencrypted;
    private long unreadable;
    private long skipped;
    private String problem;

    Reencryption(ReencryptionStore store, PayloadCipher cipher, String queue, Duration patience) {
        this.store = store;
        this.cipher = cipher;
        this.queue = queue;
        this.end = System.nanoTime() + patience.toNanos();
    }

    /** Goes on until the end of the queue, or until the time is up. */
    Uni<ReencryptResource.Reencrypted> run(Position after) {
        return store.stale(queue, after, cipher.newestPrefix(), MESSAGES, BYTES).flatMap(found -> {
            Stale last = found.isEmpty() ? null : found.get(found.size() - 1);
            boolean more = last != null && last.payload() == null;
            List<Stale> anew = encrypted(more ? found.subList(0, found.size() - 1) : found);
            return store.replace(anew)
                    .invoke(count -> counted(count, anew.size()))
                    .flatMap(done -> goOn(more ? new Position(last.partition().partition(), last.seq()) : null));
        });
    }

    private Uni<ReencryptResource.Reencrypted> goOn(Position next) {
        return next != null && System.nanoTime() - end < 0
                ? run(next)
                : Uni.createFrom().item(answer(next));
    }

    private List<Stale> encrypted(List<Stale> found) {
        List<Stale> anew = new ArrayList<>(found.size());
        for (Stale message : found) {
            OpenedPayload opened = cipher.open(message.payload(), message.partition(), message.transactionId());
            if (opened.failed()) {
                failed(message, opened);
            } else {
                anew.add(message.with(cipher.encrypt(opened.payload(), message.partition(), message.transactionId())));
            }
        }
        return anew;
    }

    private void failed(Stale message, OpenedPayload opened) {
        unreadable++;
        problem = problem == null
                ? opened.sentence() + ": partition " + message.partition().partition() + ", transactionId "
                        + message.transactionId()
                : problem;
    }

    private void counted(long replaced, int sent) {
        reencrypted += replaced;
        skipped += sent - replaced;
    }

    private ReencryptResource.Reencrypted answer(Position next) {
        return new ReencryptResource.Reencrypted(
                queue, reencrypted, unreadable, skipped, problem, next == null ? null : next.toString());
    }
}
