package io.queen.ack;

import io.queen.message.Ack;
import java.util.List;
import java.util.UUID;

/** The arguments of {@code ack_list_v1}: arrays of one length. */
public record AckCall(
        UUID[] partitionIds,
        String[] transactionIds,
        String[] consumerGroups,
        UUID[] leaseIds,
        String[] statuses,
        String[] errors) {

    public static AckCall of(List<Ack> acks) {
        int size = acks.size();
        AckCall call = new AckCall(
                new UUID[size], new String[size], new String[size], new UUID[size], new String[size], new String[size]);
        for (int i = 0; i < size; i++) {
            call.set(i, acks.get(i));
        }
        return call;
    }

    private void set(int i, Ack ack) {
        partitionIds[i] = ack.partitionId();
        transactionIds[i] = ack.transactionId();
        consumerGroups[i] = ack.consumerGroup();
        leaseIds[i] = ack.leaseId();
        statuses[i] = ack.status().text();
        errors[i] = ack.error();
    }
}
