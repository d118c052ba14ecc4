package io.queen.admin;

import io.queen.message.DeadLetterFilter;
import io.queen.message.DeadLetterPage;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.queen.pop.Rings;
import io.queen.pop.Signals;
import io.queen.store.Database;
import io.queen.store.DeadLetterStore;
import io.queen.store.DeadLetterStore.Buried;
import io.queen.store.DeadLetterStore.Redriven;
import io.queen.store.MessageStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Shows, forgets and makes dead letters, and gives them another chance; pops that wait hear of it. */
@Singleton
public final class DeadLetters {
    private static final int PORTION = 1000;

    private final Database database;
    private final Rings rings;
    private final Signals signals;

    DeadLetters(Database database, Rings rings, Signals signals) {
        this.database = database;
        this.rings = rings;
        this.signals = signals;
    }

    /** Dead letters, the newest failure first. */
    public Uni<DeadLetterPage> list(DeadLetterFilter filter, Page page) {
        return DeadLetterStore.list(database.general(), filter, page);
    }

    /** Forgets those that match and tells how many; the messages stay, consumed. */
    public Uni<Long> delete(DeadLetterFilter filter) {
        return DeadLetterStore.delete(database.general(), filter);
    }

    /** Pushes all messages that match again, and tells how many. What fails meanwhile is left alone. */
    public Uni<Long> redrive(DeadLetterFilter filter) {
        return redrive(filter, null, 0);
    }

    private Uni<Long> redrive(DeadLetterFilter filter, OffsetDateTime until, long before) {
        return DeadLetterStore.redrive(database.general(), filter, until, PORTION)
                .invoke(this::announce)
                .flatMap(partitions -> {
                    int messages =
                            partitions.stream().mapToInt(Redriven::messages).sum();
                    return partitions.isEmpty()
                            ? Uni.createFrom().item(before)
                            : redrive(filter, partitions.get(0).until(), before + messages);
                });
    }

    /** Pushes a dead letter again and gives the id of the new message. */
    public Uni<UUID> redrive(UUID partitionId, String transactionId) {
        return DeadLetterStore.redrive(database.general(), partitionId, transactionId)
                .invoke(this::announce)
                .flatMap(partitions -> partitions.isEmpty()
                        ? notRedriven(partitionId, transactionId)
                        : Uni.createFrom().item(partitions.get(0).messageId()));
    }

    private Uni<UUID> notRedriven(UUID partitionId, String transactionId) {
        return MessageStore.detail(database.general(), partitionId, transactionId)
                .flatMap(message -> Uni.createFrom()
                        .failure(
                                message == null
                                        ? Messages.notFound(partitionId, transactionId)
                                        : new QueenException(
                                                ErrorCode.CONFLICT, "Message is not a dead letter: " + transactionId)));
    }

    /** Makes the message a dead letter of the group. */
    public Uni<Void> bury(UUID partitionId, String transactionId, String group, String error) {
        return DeadLetterStore.bury(database.general(), partitionId, transactionId, group, error)
                .onItem()
                .ifNull()
                .failWith(() -> Messages.notFound(partitionId, transactionId))
                .invoke(buried -> announce(buried, partitionId, group))
                .replaceWithVoid();
    }

    private void announce(List<Redriven> partitions) {
        for (Redriven redriven : partitions) {
            rings.pushed(redriven.lane(), redriven.partitionId());
            signals.pushed(redriven.lane(), redriven.partitionId());
        }
    }

    private void announce(Buried buried, UUID partitionId, String group) {
        if (buried.leaseReleased()) {
            rings.leaseEnded(buried.lane(), partitionId, group, null, buried.pending());
            if (buried.pending()) {
                signals.leaseEnded(buried.lane(), partitionId, group);
            }
        }
    }
}
