package io.queen.admin.trace;

import java.util.List;
import java.util.UUID;

/**
 * An event to be recorded for a message.
 *
 * @param data JSON text
 * @param names under which it can be found, none or more
 */
public record NewTrace(
        UUID partitionId,
        String transactionId,
        String consumerGroup,
        String eventType,
        String data,
        List<String> names) {}
