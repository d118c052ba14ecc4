package io.queen.message;

import java.time.OffsetDateTime;
import java.util.UUID;

/** A message as a consumer gets it. The payload is the JSON text that was pushed. */
public record PoppedMessage(
        Claim claim,
        long seq,
        UUID id,
        String transactionId,
        UUID traceId,
        String payload,
        String producerSub,
        OffsetDateTime createdAt) {}
