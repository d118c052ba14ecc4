package io.queen.admin.group;

import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * What a seek in one partition did.
 *
 * @param partitionId null when there is no such partition
 * @param moved false when the group does not know the queue
 * @param cursorTime when the message at the cursor was pushed; null at the beginning, or when it is gone
 */
public record PartitionSeek(UUID partitionId, boolean moved, OffsetDateTime cursorTime) {}
