package io.queen.admin.deadletter;

import io.queen.admin.deadletter.DeadLetterStore.DeadLettered;
import io.queen.admin.deadletter.DeadLetterStore.Redriven;
import io.queen.admin.message.MessageStore;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.pop.ready.PartitionNews;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Gives dead letters another chance, and makes messages dead letters; pops that wait hear of it. */
@Singleton
final class Redrive {
    private static final int PORTION = 1000;

    private final DeadLetterStore store;
    private final MessageStore messages;
    private final PartitionNews news;

    Redrive(DeadLetterStore store, MessageStore messages, PartitionNews news) {
        this.store = store;
        this.messages = messages;
        this.news = news;
    }

    /** How many messages were redriven, and of how many dead letters the message had been removed. */
    record Outcome(long redriven, long gone) {
        private Outcome plus(List<Redriven> partitions) {
            return new Outcome(
                    redriven + partitions.stream().mapToInt(Redriven::messages).sum(),
                    gone + partitions.stream().mapToInt(Redriven::gone).sum());
        }
    }

    /**
     * Gives all messages that match to the groups that failed them, or copies to all groups, in portions. What fails
     * meanwhile is left alone.
     */
    Uni<Outcome> all(DeadLetterStore.Filter filter, boolean toAllGroups) {
        return portion(filter, toAllGroups, null, new Outcome(0, 0));
    }

    private Uni<Outcome> portion(
            DeadLetterStore.Filter filter, boolean toAllGroups, OffsetDateTime until, Outcome before) {
        return store.redrive(filter, toAllGroups, until, PORTION)
                .invoke(this::announce)
                .flatMap(partitions -> partitions.isEmpty()
                        ? Uni.createFrom().item(before)
                        : portion(filter, toAllGroups, partitions.get(0).until(), before.plus(partitions)));
    }

    /** Redrives one message and gives its id, or that of its copy for all groups. */
    Uni<UUID> one(UUID partitionId, String transactionId, boolean toAllGroups) {
        return store.redrive(partitionId, transactionId, toAllGroups, PORTION)
                .invoke(this::announce)
                .flatMap(partitions -> partitions.stream()
                        .map(Redriven::messageId)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(messageId -> Uni.createFrom().item(messageId))
                        .orElseGet(() -> notRedriven(partitionId, transactionId)));
    }

    private Uni<UUID> notRedriven(UUID partitionId, String transactionId) {
        return messages.detail(partitionId, transactionId).map(message -> {
            throw message == null
                    ? QueenException.messageNotFound(partitionId, transactionId)
                    : new QueenException(ErrorCode.CONFLICT, "Message is not a dead letter: " + transactionId);
        });
    }

    /** Makes the message a dead letter of the group. */
    Uni<Void> deadLetter(UUID partitionId, String transactionId, String group, String error) {
        return store.deadLetter(partitionId, transactionId, group, error)
                .onItem()
                .ifNull()
                .failWith(() -> QueenException.messageNotFound(partitionId, transactionId))
                .invoke(done -> announce(done, partitionId, group))
                .replaceWithVoid();
    }

    /** Should a lease be on the partition, the pop that is woken learns how long. */
    private void announce(List<Redriven> partitions) {
        for (Redriven redriven : partitions) {
            if (redriven.consumerGroup() == null) {
                news.pushed(redriven.partition(), redriven.partitionId());
            } else {
                news.available(redriven.partition(), redriven.partitionId(), redriven.consumerGroup());
            }
        }
    }

    private void announce(DeadLettered done, UUID partitionId, String group) {
        if (done.leaseReleased()) {
            news.leaseEnded(done.partition(), partitionId, group, null, done.pending());
        }
    }
}
