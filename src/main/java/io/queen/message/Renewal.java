package io.queen.message;

import java.util.UUID;

/** A wish to hold a lease for at least so many seconds from now. */
public record Renewal(UUID leaseId, int seconds) {}
