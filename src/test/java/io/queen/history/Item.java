package io.queen.history;

import io.vertx.core.json.JsonObject;

/** A message to be pushed. */
record Item(String lane, String transactionId, Object payload) {
    JsonObject json() {
        return new JsonObject()
                .put("queue", Plan.queue(lane))
                .put("partition", Plan.partition(lane))
                .put("transactionId", transactionId)
                .put("payload", payload);
    }
}
