package io.queen.stream;

import io.queen.message.Ack;
import io.queen.push.PushRequest;
import java.util.List;
import java.util.UUID;

/**
 * One cycle of a query in a source partition.
 *
 * @param id its own: by it the database knows a cycle that is sent again
 * @param operations what is to be written, each key once
 * @param operationCount how many operations the client sent
 * @param ack of the last message that was processed, null for none
 * @param ackCount how many messages the ack is for, as the client says
 * @param release whether the lease ends with the ack
 */
record Cycle(
        UUID id,
        UUID queryId,
        UUID partitionId,
        String group,
        List<StateOperation> operations,
        int operationCount,
        PushRequest pushes,
        Ack ack,
        int ackCount,
        boolean release) {

    /** What an operation costs beside its key and value: array elements, and its share of the row. */
    private static final int OVERHEAD = 64;

    /**
     * A key to write or to delete.
     *
     * @param value JSON text, null to delete
     * @param windowEnd {@code windowEnd} of the value when that is a number, else null
     */
    record StateOperation(String key, String value, Double windowEnd) {}

    int items() {
        return 1 + operations.size() + pushes.items().size();
    }

    long bytes() {
        long bytes = pushes.bytes();
        for (StateOperation operation : operations) {
            bytes += OVERHEAD
                    + operation.key().length()
                    + (operation.value() == null ? 0 : operation.value().length());
        }
        return bytes;
    }
}
