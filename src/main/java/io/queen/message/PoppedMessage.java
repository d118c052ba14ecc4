package io.queen.message;

import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * A message that was popped. The payload is the JSON text that was pushed; while {@code encrypted}, what it was encrypted
 * to. {@code headers} are a JSON object as text; they and {@code deliverAt} are null when it was pushed without.
 */
public record PoppedMessage(
        Claim claim,
        long seq,
        UUID id,
        String transactionId,
        UUID traceId,
        String payload,
        boolean encrypted,
        String producerSub,
        OffsetDateTime createdAt,
        String headers,
        OffsetDateTime deliverAt) {

    /** Since when it could be popped, if nothing else held it back. */
    public OffsetDateTime availableAt() {
        return deliverAt != null && deliverAt.isAfter(createdAt) ? deliverAt : createdAt;
    }

    /** The same message in clear. */
    public PoppedMessage opened(String clear) {
        return new PoppedMessage(
                claim, seq, id, transactionId, traceId, clear, false, producerSub, createdAt, headers, deliverAt);
    }
}
