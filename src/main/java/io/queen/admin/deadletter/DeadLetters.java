package io.queen.admin.deadletter;

import io.queen.admin.deadletter.DeadLetterStore.Buried;
import io.queen.admin.deadletter.DeadLetterStore.Redriven;
import io.queen.admin.message.MessageStore;
import io.queen.admin.message.Messages;
import io.queen.database.Database;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.PartitionName;
import io.queen.message.QueenException;
import io.queen.pop.ready.PeerNotifier;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Shows, forgets and makes dead letters, and gives them another chance; pops that wait hear of it. */
@Singleton
public final class DeadLetters {
    private static final int PORTION = 1000;

    /** How many messages were redriven, and of how many dead letters the message had been removed. */
    public record Outcome(long redriven, long gone) {
        private Outcome plus(List<Redriven> partitions) {
            return new Outcome(
                    redriven + partitions.stream().mapToInt(Redriven::messages).sum(),
                    gone + partitions.stream().mapToInt(Redriven::gone).sum());
        }
    }

    private final Database database;
    private final ReadyIndex rings;
    private final PeerNotifier signals;

    DeadLetters(Database database, ReadyIndex rings, PeerNotifier signals) {
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

    /**
     * Gives all messages that match to the groups that failed them, or copies to all groups, in portions. What fails
     * meanwhile is left alone.
     */
    public Uni<Outcome> redrive(DeadLetterFilter filter, boolean allGroups) {
        return redrive(filter, allGroups, null, new Outcome(0, 0));
    }

    private Uni<Outcome> redrive(DeadLetterFilter filter, boolean allGroups, OffsetDateTime until, Outcome before) {
        return DeadLetterStore.redrive(database.general(), filter, allGroups, until, PORTION)
                .invoke(this::announce)
                .flatMap(partitions -> partitions.isEmpty()
                        ? Uni.createFrom().item(before)
                        : redrive(filter, allGroups, partitions.get(0).until(), before.plus(partitions)));
    }

    /** Redrives one message and gives its id, or that of its copy for all groups. */
    public Uni<UUID> redrive(UUID partitionId, String transactionId, boolean allGroups) {
        return DeadLetterStore.redrive(database.general(), partitionId, transactionId, allGroups, PORTION)
                .invoke(this::announce)
                .flatMap(partitions -> partitions.stream()
                        .map(Redriven::messageId)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(messageId -> Uni.createFrom().item(messageId))
                        .orElseGet(() -> notRedriven(partitionId, transactionId)));
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
            if (redriven.consumerGroup() == null) {
                rings.pushed(redriven.lane(), redriven.partitionId());
                signals.pushed(redriven.lane(), redriven.partitionId());
            } else {
                free(redriven.lane(), redriven.partitionId(), redriven.consumerGroup());
            }
        }
    }

    /** The group has something to pop there; should a lease be on it, the pop that is woken learns how long. */
    private void free(PartitionName lane, UUID partitionId, String group) {
        rings.leaseEnded(lane, partitionId, group, null, true);
        signals.leaseEnded(lane, partitionId, group);
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
