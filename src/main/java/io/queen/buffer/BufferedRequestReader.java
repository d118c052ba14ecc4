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

/** Reads what comes next in a segment; what can't be stored anyway is set aside in its turn. */
@Singleton
final class BufferedRequestReader {
    private static final Logger LOG = Logger.getLogger(BufferedRequestReader.class);
    private static final long BATCH_BYTES = 4L * 1024 * 1024;

    private final PayloadCipher cipher;
    private final BufferedPartitions partitions;
    private final FailedRecords failed;
    private final int maxMessages;

    BufferedRequestReader(
            PayloadCipher cipher, BufferedPartitions partitions, FailedRecords failed, QueenConfig config) {
        this.cipher = cipher;
        this.partitions = partitions;
        this.failed = failed;
        this.maxMessages = config.buffer().maxBatch();
    }

    /** Records for one batch; none when what is next was set aside. */
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
        List<BufferedRequest> requests = new ArrayList<>();
        int messages = 0;
        long start = segment.position();
        for (long at = start; at < segment.end() && messages < maxMessages && at - start < BATCH_BYTES; ) {
            SegmentReader.Piece piece = segment.reader().next(at, segment.end());
            Optional<BufferedRequest> request = request(segment, piece);
            if (request.isEmpty()) {
                if (requests.isEmpty()) {
                    setAside(segment, piece);
                    segment.drainedTo(piece.end());
                }
                return requests;
            }
            requests.add(request.get());
            messages += request.get().items().size();
            at = piece.end();
        }
        return requests;
    }

    private Optional<BufferedRequest> request(Segment segment, SegmentReader.Piece piece) {
        if (!(piece instanceof SegmentReader.Whole whole)) {
            return Optional.empty();
        }
        return RecordBody.read(whole.body())
                .flatMap(body -> body.open(cipher)
                        .map(items -> new BufferedRequest(segment, whole.start(), whole.end(), body, items)));
    }

    private void setAside(Segment segment, SegmentReader.Piece piece) throws IOException {
        if (piece instanceof SegmentReader.Whole whole) {
            setAside(segment, whole);
        } else if (piece instanceof SegmentReader.Damaged) {
            failed.damaged(segment, piece.start(), segment.reader().bytes(piece.start(), piece.end()));
        } else {
            LOG.infof(
                    "The buffer file %s ends in a record that was not written whole: no client was told that it was kept",
                    segment.file);
        }
    }

    private void setAside(Segment segment, SegmentReader.Whole whole) throws IOException {
        Optional<RecordBody> body = RecordBody.read(whole.body());
        String reason = body.isPresent()
                ? "it was encrypted with a key that QUEEN_ENCRYPTION_KEYS lacks"
                : "it was written by a Queen with another format";
        failed.refused(segment, whole.start(), whole.body(), reason);
        body.ifPresent(known -> partitions.remove(segment, known.items()));
    }
}
