package io.queen.sidecar;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The bounds of one operation in one sidecar.
 *
 * @param window how long requests gather at most while a batch is in flight
 * @param eager whether a batch leaves as soon as it can; else every request waits for the window
 */
record BatchLimits(int maxItems, long maxBytes, Duration window, int maxWaiting, int maxInFlight, boolean eager) {
    /** What part of a full batch is worth a further connection. */
    private static final int WORTHWHILE_PART = 4;
    /** What part of the requests that may wait for locks may wait for the same one. */
    private static final int PART_PER_LOCK = 10;

    static BatchLimits of(QueenConfig.Sidecar config) {
        return new BatchLimits(
                config.maxItemsPerTx(),
                ByteSize.bytes(config.maxBytesPerTx()),
                Duration.ofMillis(config.microBatchWaitMs()),
                config.maxWaiting(),
                config.maxListsInFlight(),
                config.eager());
    }

    /** For an operation of which each request is a call of its own: a batch of one. */
    BatchLimits single() {
        return new BatchLimits(1, maxBytes, window, maxWaiting, maxInFlight, eager);
    }

    /** How many requests may wait for one lock that another transaction holds. */
    int maxWaitingPerLock() {
        return Math.max(1, maxWaiting / PART_PER_LOCK);
    }

    boolean worthAnotherConnection(int items) {
        return items >= maxItems / WORTHWHILE_PART;
    }

    /** Batches of at most so many items and bytes, in order; a request that is larger alone is a batch of its own. */
    <Q, A> List<List<QueuedRequest<Q, A>>> cut(List<QueuedRequest<Q, A>> requests) {
        List<List<QueuedRequest<Q, A>>> batches = new ArrayList<>();
        int start = 0;
        long items = 0;
        long bytes = 0;
        for (int i = 0; i < requests.size(); i++) {
            QueuedRequest<Q, A> next = requests.get(i);
            if (i > start && (items + next.items() > maxItems || bytes + next.bytes() > maxBytes)) {
                batches.add(requests.subList(start, i));
                start = i;
                items = 0;
                bytes = 0;
            }
            items += next.items();
            bytes += next.bytes();
        }
        if (start < requests.size()) {
            batches.add(requests.subList(start, requests.size()));
        }
        return batches;
    }
}
