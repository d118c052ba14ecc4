package io.queen.admin.queue;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The configuration of a queue, with the defaults of a queue that was never configured. Times in seconds, except
 * {@code retryDelay} and {@code retryDelayMax} (milliseconds).
 */
@RegisterForReflection
public record QueueOptions(
        int leaseTime,
        int retryLimit,
        int retryDelay,
        String retryBackoff,
        int retryDelayMax,
        int retryJitter,
        int maxSize,
        int ttl,
        boolean deadLetterQueue,
        boolean dlqAfterMaxRetries,
        int priority,
        int delayedProcessing,
        int windowBuffer,
        int retentionSeconds,
        int completedRetentionSeconds,
        boolean retentionEnabled,
        boolean encryptionEnabled,
        int maxWaitTimeSeconds) {

    public static final String FIXED = "fixed";
    public static final String EXPONENTIAL = "exponential";

    public static final QueueOptions DEFAULTS =
            new QueueOptions(300, 3, 0, FIXED, 3_600_000, 0, 0, 3600, false, false, 0, 0, 0, 0, 0, false, false, 0);
}
