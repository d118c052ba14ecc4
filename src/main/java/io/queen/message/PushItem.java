package io.queen.message;

import java.util.UUID;

/**
 * One message to store. The payload is the JSON text exactly as it was sent.
 *
 * @param traceId null for none
 * @param producerSub who pushed it, null when nobody is known
 */
public record PushItem(
        String queue, String partition, String transactionId, UUID traceId, String payload, String producerSub) {

    /** The partition of an item that names none. */
    public static final String DEFAULT_PARTITION = "Default";
}
