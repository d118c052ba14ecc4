package io.queen.admin.trace;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Trace events of one name, and how many there are in all. */
public record TracePage(long total, List<Event> events) {

    /**
     * One event with the message it is about.
     *
     * @param data JSON text
     * @param payload of the message as it is stored, null when the message is gone
     */
    public record Event(
            UUID id,
            String transactionId,
            UUID partitionId,
            String eventType,
            String data,
            String consumerGroup,
            String workerId,
            OffsetDateTime createdAt,
            String queue,
            String partition,
            String payload,
            boolean encrypted,
            List<String> names) {}
}
