package io.queen.message;

import java.util.UUID;

/**
 * What a pop took of one partition: the messages after {@code firstSeq} up to {@code lastSeq}.
 *
 * @param leaseId null when the messages were acked with the pop
 * @param retryCount failed deliveries of these messages so far
 */
public record Claim(
        UUID partitionId,
        String queue,
        String partition,
        String consumerGroup,
        long firstSeq,
        long lastSeq,
        UUID leaseId,
        int retryCount) {}
