package io.queen.buffer;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private final Backlog backlog;
    private final BufferedPartitions lanes;

    Orphans(BufferFiles files, Backlog backlog, BufferedPartitions lanes) {
        this.files = files;
        this.backlog = backlog;
        this.lanes = lanes;
    }

    /** Adopts what is there now. The partitions of its messages are held when this returns. */
    void adopt() throws IOException {
        if (!Files.isDirectory(files.slots())) {
            return;
        }
        List<Path> directories;
        try (Stream<Path> entries = Files.list(files.slots())) {
            // The youngest first, because each comes before those that are there already.
            directories = entries.filter(Files::isDirectory)
                    .sorted((a, b) -> b.compareTo(a))
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
        List<Segment> segments = slot.leftovers();
        if (segments.isEmpty()) {
            slot.leave();
            return;
        }
        long before = lanes.messages();
        segments.forEach(this::hold);
        backlog.addFirst(segments);
        LOG.infof(
                "Found %d messages that an earlier server has buffered in %s: they go to the database first",
                lanes.messages() - before, slot.directory());
    }

    private void hold(Segment segment) {
        try {
            holdAll(segment);
        } catch (UncheckedIOException e) {
            LOG.debugf(e, "The drain will say of %s that it can't be read", segment.file());
        }
    }

    private void holdAll(Segment segment) {
        SegmentReader reader = segment.reader();
        for (long at = segment.position(); at < segment.end(); ) {
            SegmentReader.Piece piece = reader.next(at, segment.end());
            if (piece instanceof SegmentReader.Whole whole) {
                RecordBody.read(whole.body()).ifPresent(envelope -> {
                    Map<PartitionName, Integer> messages = BufferedPartitions.count(envelope.items());
                    segment.owe(messages);
                    lanes.hold(messages);
                });
            }
            at = piece.end();
        }
    }
}
