package io.queen.buffer;

import io.queen.config.QueenConfig;
import io.queen.encryption.PayloadCipher;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Reads what comes next in a segment; what can't be stored anyway is set aside when it is its turn. */
@Singleton
final class BufferedRequestReader {
    private static final Logger LOG = Logger.getLogger(BufferedRequestReader.class);
    private static final long LIST_BYTES = 4L * 1024 * 1024;

    private final PayloadCipher cipher;
    private final BufferedPartitions lanes;
    private final FailedRecords failed;
    private final int maxMessages;

    BufferedRequestReader(PayloadCipher cipher, BufferedPartitions lanes, FailedRecords failed, QueenConfig config) {
        this.cipher = cipher;
        this.lanes = lanes;
        this.failed = failed;
        this.maxMessages = config.buffer().maxBatch();
    }

    /** Records for one list; none when what is next was set aside. */
    List<BufferedRequest> read(Segment segment) throws IOException {
        try {
            return gather(segment);
        } catch (UncheckedIOException e) {
            failed.unreadable(segment, e);
            segment.drainedTo(segment.end());
            return List.of();
        }
    }

    private List<BufferedRequest> gather(Segment segment) throws IOException {
        List<BufferedRequest> parcels = new ArrayList<>();
        int messages = 0;
        long start = segment.position();
        for (long at = start; at < segment.end() && messages < maxMessages && at - start < LIST_BYTES; ) {
            SegmentReader.Piece piece = segment.reader().next(at, segment.end());
            Optional<BufferedRequest> parcel = parcel(segment, piece);
            if (parcel.isEmpty()) {
                if (parcels.isEmpty()) {
                    setAside(segment, piece);
                    segment.drainedTo(piece.end());
                }
                return parcels;
            }
            parcels.add(parcel.get());
            messages += parcel.get().items().size();
            at = piece.end();
        }
        return parcels;
    }

    private Optional<BufferedRequest> parcel(Segment segment, SegmentReader.Piece piece) {
        return piece instanceof SegmentReader.Whole whole
                ? RecordBody.read(whole.body())
                        .flatMap(envelope -> envelope.open(cipher)
                                .map(items ->
                                        new BufferedRequest(segment, whole.start(), whole.end(), envelope, items)))
                : Optional.empty();
    }

    private void setAside(Segment segment, SegmentReader.Piece piece) throws IOException {
        if (piece instanceof SegmentReader.Whole whole) {
            setAside(segment, whole);
        } else if (piece instanceof SegmentReader.Damaged) {
            failed.damaged(segment, piece.start(), segment.reader().bytes(piece.start(), piece.end()));
        } else {
            LOG.infof(
                    "The buffer file %s ends in a record that was not written whole: nobody was told that it was kept",
                    segment.file());
        }
    }

    private void setAside(Segment segment, SegmentReader.Whole whole) throws IOException {
        Optional<RecordBody> envelope = RecordBody.read(whole.body());
        String reason = envelope.isPresent()
                ? "it was encrypted with another QUEEN_ENCRYPTION_KEY"
                : "it was written by a Queen with another format";
        failed.refused(segment, whole.start(), whole.body(), reason);
        envelope.ifPresent(known -> lanes.settle(segment, known.items()));
    }
}
