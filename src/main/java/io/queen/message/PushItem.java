package io.queen.message;

import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * One message to store. The payload is the JSON text exactly as it was sent.
 *
 * @param name the partition it goes to
 * @param traceId null for none
 * @param producerSub the caller that pushed it, null when that is not known
 * @param headers a JSON object of strings, as text; null for none
 * @param deliverAt not to be delivered before; null for at once
 */
public record PushItem(
        PartitionName name,
        String transactionId,
        UUID traceId,
        String payload,
        String producerSub,
        String headers,
        OffsetDateTime deliverAt) {

    /** The partition of an item that names none. */
    public static final String DEFAULT_PARTITION = "Default";

    /** One without headers, to be delivered at once. */
    public PushItem(
            String queue, String partition, String transactionId, UUID traceId, String payload, String producerSub) {
        this(new PartitionName(queue, partition), transactionId, traceId, payload, producerSub, null, null);
    }

    /** The same with another payload. */
    public PushItem with(String other) {
        return new PushItem(name, transactionId, traceId, other, producerSub, headers, deliverAt);
    }

    /** The same with other headers. */
    public PushItem withHeaders(String other) {
        return new PushItem(name, transactionId, traceId, payload, producerSub, other, deliverAt);
    }

    public String queue() {
        return name.queue();
    }

    public String partition() {
        return name.partition();
    }
}
