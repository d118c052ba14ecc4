package io.queen.history;

import io.vertx.core.json.JsonObject;
import java.util.List;

/** What a pop brought from one partition. */
record Batch(String lane, String partitionId, String group, String leaseId, List<String> transactionIds) {
    int size() {
        return transactionIds.size();
    }

    /** One of its messages alone. */
    Batch only(int index) {
        return new Batch(lane, partitionId, group, leaseId, List.of(transactionIds.get(index)));
    }

    /** What an ack of one of its messages says, but the status. */
    JsonObject ack(int index) {
        return new JsonObject()
                .put("transactionId", transactionIds.get(index))
                .put("partitionId", partitionId)
                .put("leaseId", leaseId);
    }
}
