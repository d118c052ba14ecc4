package io.queen.message;

import java.time.OffsetDateTime;
import java.util.UUID;

/** A message that was popped. The payload is the JSON text that was pushed, or what it was encrypted to. */
public record PoppedMessage(
        Claim claim,
        long seq,
        UUID id,
        String transactionId,
        UUID traceId,
        String payload,
        boolean encrypted,
        String producerSub,
        OffsetDateTime createdAt) {}
