package io.queen.admin.message;

import java.time.OffsetDateTime;

/**
 * Which messages a list shows; null for any.
 *
 * @param status one of {@code pending}, {@code processing}, {@code completed}, {@code dead_letter}
 * @param consumerGroup whose status it is; null for that of the queue
 * @param from the first time that is included
 * @param to the first time that is not
 */
public record MessageFilter(
        String queue,
        String partition,
        String namespace,
        String task,
        String status,
        String consumerGroup,
        OffsetDateTime from,
        OffsetDateTime to) {}
