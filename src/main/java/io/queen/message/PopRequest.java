package io.queen.message;

import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * A wish for messages.
 *
 * @param batch messages at most, over all partitions
 * @param partitions partitions at most
 * @param subscription where the group starts if this is its first pop, null for the beginning
 * @param leaseId the fresh id its lease is made from; the same when the request is tried again
 * @param holder the consumer: its address, and after a space the name it gave; null when none is kept
 */
public record PopRequest(
        PopTarget target,
        String consumerGroup,
        int batch,
        int partitions,
        boolean autoAck,
        Subscription subscription,
        UUID leaseId,
        String holder) {

    /** From a point in time on; null is the moment of the group's first pop ("new" or "now"), by the database's clock. */
    public record Subscription(OffsetDateTime time) {
        public boolean isNew() {
            return time == null;
        }
    }

    /** Groups have subscriptions; consumers without one always start at the beginning. */
    public boolean subscribes() {
        return subscription != null && !consumerGroup.equals(Ack.QUEUE_MODE);
    }

    public PopRequest withLeaseId(UUID fresh) {
        return new PopRequest(target, consumerGroup, batch, partitions, autoAck, subscription, fresh, holder);
    }

    public PopRequest withHolder(String asking) {
        return new PopRequest(target, consumerGroup, batch, partitions, autoAck, subscription, leaseId, asking);
    }
}
