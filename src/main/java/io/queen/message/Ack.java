package io.queen.message;

import java.util.UUID;

/**
 * One acknowledgment.
 *
 * @param leaseId the lease it is made under, null when it is not to be checked
 * @param status null when the consumer sent one that does not exist; the ack is then answered and not applied
 * @param error why it failed, for the dead letter; null for none
 */
public record Ack(
        UUID partitionId, String transactionId, String consumerGroup, UUID leaseId, AckStatus status, String error) {

    /** The group of consumers that name none. */
    public static final String QUEUE_MODE = "__QUEUE_MODE__";

    /** Stands for a lease id that is not a UUID: no lease has it, so the ack is refused like any wrong one. */
    public static final UUID NO_SUCH_LEASE = new UUID(0, 0);
}
