package io.queen.pop;

import io.queen.encryption.OpenedPayload;
import io.queen.encryption.PayloadCipher;
import io.queen.encryption.UnreadablePayloads;
import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.PopResult;
import io.queen.message.PoppedMessage;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens the payloads of popped messages. One that no key opens reaches no consumer, which would take it for
 * data and ack it: the key is the operator's mistake, and the message is good.
 *
 * <p>Under a lease the batch ends before it, and a batch that begins with it rests for some seconds, held back with all
 * that comes after: with the right key everything goes on in its order. An auto-acked message has been passed, so it
 * becomes a dead letter, from where it can be redriven.
 */
@Singleton
final class PayloadOpening {
    private static final int REST_SECONDS = 5;

    private final PayloadCipher cipher;
    private final UnreadablePayloads unreadable;

    PayloadOpening(PayloadCipher cipher, UnreadablePayloads unreadable) {
        this.cipher = cipher;
        this.unreadable = unreadable;
    }

    /** The results with what a consumer may see of them. */
    Uni<List<PopResult>> open(LeaseStatements statements, List<PopResult> results) {
        if (results.stream().noneMatch(PayloadOpening::isSealed)) {
            return Uni.createFrom().item(results);
        }
        List<PopResult> opened = new ArrayList<>(results.size());
        Uni<Void> done = Uni.createFrom().voidItem();
        for (PopResult result : results) {
            Sorted sorted = sort(result);
            opened.add(sorted.result(result));
            done = done.flatMap(ignored -> sorted.apply(statements));
        }
        return done.replaceWith(opened);
    }

    private static boolean isSealed(PopResult result) {
        return result.messages().stream().anyMatch(PoppedMessage::encrypted);
    }

    private Sorted sort(PopResult result) {
        Sorted sorted = new Sorted();
        for (PoppedMessage message : result.messages()) {
            OpenedPayload opened = opened(message);
            if (opened.failed()) {
                unreadable.found(message, opened);
            }
            sorted.add(message, opened);
        }
        return sorted;
    }

    private OpenedPayload opened(PoppedMessage message) {
        Claim claim = message.claim();
        return message.encrypted()
                ? cipher.open(
                        message.payload(), new PartitionName(claim.queue(), claim.partition()), message.transactionId())
                : new OpenedPayload(message.payload(), null);
    }

    /** The messages of one pop, as far as they can be given. */
    private static final class Sorted {
        private final List<PoppedMessage> readable = new ArrayList<>();
        private final List<PoppedMessage> dead = new ArrayList<>();
        private final List<String> deadBecause = new ArrayList<>();
        /** Leases that end early, with the last message that is given under them; null for none. */
        private final Map<Claim, Long> cut = new LinkedHashMap<>();

        private final Map<Claim, Long> read = new LinkedHashMap<>();
        private String why;

        void add(PoppedMessage message, OpenedPayload opened) {
            Claim claim = message.claim();
            if (cut.containsKey(claim)) {
                return;
            }
            if (!opened.failed()) {
                readable.add(message.opened(opened.payload()));
                read.put(claim, message.seq());
                return;
            }
            why = why == null ? why(message, opened) : why;
            if (claim.leaseId() == null) {
                dead.add(message);
                deadBecause.add(opened.sentence());
            } else {
                cut.put(claim, read.get(claim));
            }
        }

        /** Should nothing be left, it is worth another look when the partitions have rested. */
        PopResult result(PopResult found) {
            List<Claim> claims =
                    found.claims().stream().filter(read::containsKey).toList();
            return why == null
                    ? new PopResult(claims, readable, 0)
                    : new PopResult(claims, readable, REST_SECONDS * 1000L, PopResult.Absence.UNREADABLE, why);
        }

        private static String why(PoppedMessage message, OpenedPayload opened) {
            return opened.sentence() + ": partition " + message.claim().partition() + ", transactionId "
                    + message.transactionId();
        }

        Uni<Void> apply(LeaseStatements statements) {
            List<Claim> resting = new ArrayList<>();
            List<LeaseStatements.Cut> shorter = new ArrayList<>();
            cut.forEach((claim, end) -> {
                if (end == null) {
                    resting.add(claim);
                } else {
                    shorter.add(new LeaseStatements.Cut(claim, end));
                }
            });
            return statements
                    .rest(resting, REST_SECONDS)
                    .flatMap(done -> statements.shorten(shorter))
                    .flatMap(done -> statements.deadLetter(dead, deadBecause));
        }
    }
}
