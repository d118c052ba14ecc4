package io.queen.admin.queue;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The configuration of a queue, with the defaults of a queue that was never configured. Times in seconds, except
 * {@code retryDelay} (milliseconds).
 */
@RegisterForReflection
public record QueueOptions(
        int leaseTime,
        int retryLimit,
        int retryDelay,
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

    public static final QueueOptions DEFAULTS =
            new QueueOptions(300, 3, 0, 0, 3600, false, false, 0, 0, 0, 0, 0, false, false, 0);
}
