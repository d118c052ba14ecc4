package io.queen.message;

import java.util.UUID;

/**
 * One message to store. The payload is the JSON text exactly as it was sent.
 *
 * @param name the partition it goes to
 * @param traceId null for none
 * @param producerSub the caller that pushed it, null when that is not known
 */
public record PushItem(PartitionName name, String transactionId, UUID traceId, String payload, String producerSub) {

    /** The partition of an item that names none. */
    public static final String DEFAULT_PARTITION = "Default";

    public PushItem(
            String queue, String partition, String transactionId, UUID traceId, String payload, String producerSub) {
        this(new PartitionName(queue, partition), transactionId, traceId, payload, producerSub);
    }

    public String queue() {
        return name.queue();
    }

    public String partition() {
        return name.partition();
    }
}
