package io.queen.admin.queue;

import java.util.UUID;

/** The ids of a queue and of its partition {@code Default}. */
public record QueueIds(UUID queueId, UUID partitionId) {}
