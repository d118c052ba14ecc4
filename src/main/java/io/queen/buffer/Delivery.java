package io.queen.buffer;

import io.queen.database.DatabaseFailure;
import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the next records of a segment to the database: several in one call, so that a long backlog does not take long. A
 * batch that the database refuses is taken apart, and what it refuses alone is set aside. One batch at a time: that is the
 * order. Used by the thread of the drain.
 */
@Singleton
final class Delivery {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final BufferedPushTarget target;
    private final BufferedRequestReader reader;
    private final BufferedPartitions partitions;
    private final FailedRecords failed;
    private long delivered;

    Delivery(
            BufferedPushTarget target,
            BufferedRequestReader reader,
            BufferedPartitions partitions,
            FailedRecords failed) {
        this.target = target;
        this.reader = reader;
        this.partitions = partitions;
        this.failed = failed;
    }

    /** How many messages were delivered since this was last asked. */
    long takeDelivered() {
        long since = delivered;
        delivered = 0;
        return since;
    }

    /** Delivers or sets aside at least one record of the segment, unless it fails. */
    void deliver(Segment segment) throws IOException, DeliveryFailed {
        List<BufferedRequest> requests = reader.read(segment);
        if (!requests.isEmpty()) {
            push(requests);
            segment.drainedTo(requests.get(requests.size() - 1).end());
            segment.slot.rememberPosition(segment);
        }
    }

    private void push(List<BufferedRequest> requests) throws IOException, DeliveryFailed {
        List<PushItem> items =
                requests.stream().flatMap(request -> request.items().stream()).toList();
        List<PushResult> results;
        try {
            results = target.pushPromised(items).await().atMost(LIMIT);
        } catch (RuntimeException e) {
            failed(requests, e);
            return;
        }
        int start = 0;
        for (BufferedRequest request : requests) {
            int size = request.items().size();
            stored(request, results.subList(start, start + size));
            start += size;
        }
        delivered += items.size();
    }

    private void failed(List<BufferedRequest> requests, RuntimeException reason) throws IOException, DeliveryFailed {
        boolean refused = DatabaseFailure.isBadData(reason);
        if (requests.size() > 1 && (refused || isOverloaded(reason))) {
            oneByOne(requests);
        } else if (refused) {
            BufferedRequest request = requests.get(0);
            setAside(request, request.body(), reason.getMessage());
            done(request);
        } else {
            throw new DeliveryFailed(reason);
        }
    }

    /** So that what comes before the one that can't be stored, or not now, does not wait for it. */
    private void oneByOne(List<BufferedRequest> requests) throws IOException, DeliveryFailed {
        for (BufferedRequest request : requests) {
            push(List.of(request));
            request.segment().drainedTo(request.end());
        }
    }

    /** A partition may be held by a transaction outside, and the batch waited for it in vain. */
    private static boolean isOverloaded(RuntimeException failure) {
        return failure instanceof QueenException known && known.code() == ErrorCode.OVERLOADED;
    }

    private void stored(BufferedRequest request, List<PushResult> results) throws IOException {
        List<PushItem> refused = new ArrayList<>();
        String reason = null;
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i).status() == PushResult.Status.FAILED) {
                refused.add(request.body().items().get(i));
                reason = reason == null ? results.get(i).error() : reason;
            }
        }
        if (!refused.isEmpty()) {
            setAside(request, new RecordBody(request.body().encrypted(), refused), reason);
        }
        done(request);
    }

    private void setAside(BufferedRequest request, RecordBody body, String reason) throws IOException {
        failed.refused(request.segment(), request.start(), body.write(), reason);
    }

    private void done(BufferedRequest request) {
        partitions.remove(request.segment(), request.items());
    }
}
