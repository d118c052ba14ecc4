package io.queen.buffer;

import io.queen.database.DatabaseFailure;
import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.sidecar.AnySidecar;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Takes the next records of a segment to the database: several in one list, so that a long backlog does not take long. A
 * list that the database refuses is taken apart, and what it refuses alone is set aside. One list at a time: that is the
 * order. Used by the thread of the drain.
 */
@Singleton
final class Delivery {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final AnySidecar sidecar;
    private final BufferedRequestReader reader;
    private final BufferedPartitions lanes;
    private final FailedRecords failed;

    Delivery(AnySidecar sidecar, BufferedRequestReader reader, BufferedPartitions lanes, FailedRecords failed) {
        this.sidecar = sidecar;
        this.reader = reader;
        this.lanes = lanes;
        this.failed = failed;
    }

    /** How many messages were brought; at least one record of the segment is dealt with, unless it fails. */
    int deliver(Segment segment) throws IOException, DeliveryFailed {
        List<BufferedRequest> parcels = reader.read(segment);
        if (parcels.isEmpty()) {
            return 0;
        }
        int delivered = push(parcels);
        segment.drainedTo(parcels.get(parcels.size() - 1).end());
        segment.slot().rememberPosition(segment);
        return delivered;
    }

    private int push(List<BufferedRequest> parcels) throws IOException, DeliveryFailed {
        List<PushItem> items =
                parcels.stream().flatMap(parcel -> parcel.items().stream()).toList();
        List<PushResult> results;
        try {
            results = sidecar.pushPromised(items).await().atMost(LIMIT);
        } catch (RuntimeException e) {
            if (DatabaseFailure.isBadData(e)) {
                return refused(parcels, e);
            }
            if (parcels.size() > 1 && isOverloaded(e)) {
                return oneByOne(parcels);
            }
            throw new DeliveryFailed(e, 0);
        }
        int start = 0;
        for (BufferedRequest parcel : parcels) {
            int size = parcel.items().size();
            settle(parcel, results.subList(start, start + size));
            start += size;
        }
        return items.size();
    }

    private int refused(List<BufferedRequest> parcels, RuntimeException reason) throws IOException, DeliveryFailed {
        if (parcels.size() == 1) {
            BufferedRequest parcel = parcels.get(0);
            failed.refused(parcel.segment(), parcel.start(), parcel.envelope().write(), reason.getMessage());
            lanes.settle(parcel.segment(), parcel.items());
            return 0;
        }
        return oneByOne(parcels);
    }

    /** So that what comes before the one that can't be stored, or not now, does not wait for it. */
    private int oneByOne(List<BufferedRequest> parcels) throws IOException, DeliveryFailed {
        int delivered = 0;
        for (BufferedRequest parcel : parcels) {
            try {
                delivered += push(List.of(parcel));
            } catch (DeliveryFailed e) {
                throw new DeliveryFailed(e.getCause(), delivered);
            }
            parcel.segment().drainedTo(parcel.end());
        }
        return delivered;
    }

    /** A partition may be held by a transaction outside, and the list waited for it in vain. */
    private static boolean isOverloaded(RuntimeException failure) {
        return failure instanceof QueenException known && known.code() == ErrorCode.OVERLOADED;
    }

    private void settle(BufferedRequest parcel, List<PushResult> results) throws IOException {
        List<PushItem> refused = IntStream.range(0, results.size())
                .filter(i -> results.get(i).status() == PushResult.Status.FAILED)
                .mapToObj(i -> parcel.envelope().items().get(i))
                .toList();
        if (!refused.isEmpty()) {
            RecordBody rest = new RecordBody(parcel.envelope().encrypted(), refused);
            String reason = results.stream()
                    .filter(result -> result.status() == PushResult.Status.FAILED)
                    .map(PushResult::error)
                    .findFirst()
                    .orElseThrow();
            failed.refused(parcel.segment(), parcel.start(), rest.write(), reason);
        }
        lanes.settle(parcel.segment(), parcel.items());
    }
}
