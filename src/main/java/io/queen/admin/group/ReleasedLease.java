package io.queen.admin.group;

import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * What an operator's wish to end a lease did.
 *
 * @param partitionId null when there is no such partition
 * @param released false when nobody held it; then there is nothing more to tell
 * @param holder the address of who held it, and after a space the name it gave
 * @param expiresAt when the lease would have ended by itself, in {@code remainingMillis}
 * @param pending messages are left
 */
public record ReleasedLease(
        UUID partitionId,
        boolean released,
        UUID leaseId,
        String holder,
        OffsetDateTime expiresAt,
        Long remainingMillis,
        boolean pending) {}
