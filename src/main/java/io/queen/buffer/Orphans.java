package io.queen.buffer;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Finds the slots of servers that are gone, and makes their segments ours. */
@Singleton
final class Orphans {
    private static final Logger LOG = Logger.getLogger(Orphans.class);

    private final BufferFiles files;
    private final Journal journal;
    private final BufferedPartitions partitions;

    Orphans(BufferFiles files, Journal journal, BufferedPartitions partitions) {
        this.files = files;
        this.journal = journal;
        this.partitions = partitions;
    }

    /** Adopts what is there now. The partitions of its messages count as buffered when this returns. */
    void adopt() throws IOException {
        if (!Files.isDirectory(files.slots())) {
            return;
        }
        List<Path> directories;
        try (Stream<Path> entries = Files.list(files.slots())) {
            // The youngest first, because each comes before those that are there already.
            directories = entries.filter(Files::isDirectory)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path directory : directories) {
            Optional<Slot> slot = Slot.adopt(directory);
            if (slot.isPresent()) {
                adopt(slot.get());
            }
        }
    }

    private void adopt(Slot slot) throws IOException {
        List<Segment> segments = slot.segments();
        if (segments.isEmpty()) {
            slot.leave();
            return;
        }
        long before = partitions.messages();
        segments.forEach(this::count);
        journal.addFirst(segments);
        LOG.infof(
                "Found %d messages that an earlier server has buffered in %s: they go to the database first",
                partitions.messages() - before, slot.directory());
    }

    private void count(Segment segment) {
        SegmentReader reader = segment.reader();
        try {
            for (long at = segment.position(); at < segment.end(); ) {
                SegmentReader.Piece piece = reader.next(at, segment.end());
                if (piece instanceof SegmentReader.Whole whole) {
                    RecordBody.read(whole.body()).ifPresent(body -> count(segment, body));
                }
                at = piece.end();
            }
        } catch (UncheckedIOException e) {
            LOG.debugf(e, "The drain will say of %s that it can't be read", segment.file);
        }
    }

    private void count(Segment segment, RecordBody body) {
        Map<PartitionName, Integer> counts = BufferedPartitions.count(body.items());
        segment.addPending(counts);
        partitions.add(counts);
    }
}
