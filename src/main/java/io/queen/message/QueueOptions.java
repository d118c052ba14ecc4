package io.queen.message;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The configuration of a queue, with the defaults of a queue that was never configured. Times in seconds, except
 * {@code retryDelay} (milliseconds).
 *
 * @param retryAtOnce no {@code retryDelay} was given: the default is shown to clients, and does not delay anything
 */
@RegisterForReflection
public record QueueOptions(
        int leaseTime,
        int retryLimit,
        int retryDelay,
        @JsonIgnore boolean retryAtOnce,
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
            new QueueOptions(300, 3, 1000, true, 0, 3600, false, false, 0, 0, 0, 0, 0, false, false, 0);
}
