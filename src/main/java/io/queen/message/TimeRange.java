package io.queen.message;

import java.time.OffsetDateTime;

/** A span of time, both ends included. */
public record TimeRange(OffsetDateTime from, OffsetDateTime to) {}
