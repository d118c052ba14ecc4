package io.queen.buffer;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * What this server writes: a slot of its own and one open segment in it, both made when they are first needed. The
 * appender writes while the drain reads; what both change is done in here, one after the other.
 */
@Singleton
final class Journal {
    private static final Logger LOG = Logger.getLogger(Journal.class);
    private static final long SEGMENT_BYTES = 64L * 1024 * 1024;

    private final BufferFiles files;
    private final Backlog backlog;
    private final BufferedPartitions partitions;
    private Slot slot;
    private Segment open;
    private int number;

    Journal(BufferFiles files, Backlog backlog, BufferedPartitions partitions) {
        this.files = files;
        this.backlog = backlog;
        this.partitions = partitions;
    }

    /**
     * The records, with so many messages per partition, are on disk when this returns; none of them is when it fails.
     * After a failure nothing more is written to that file.
     */
    synchronized void append(List<byte[]> bodies, Map<PartitionName, Integer> counts) throws IOException {
        Segment segment = open();
        open = null;
        try {
            backlog.grew(segment.append(bodies, counts));
        } finally {
            if (segment.end() == 0) {
                retire(segment); // as the drain does not while PostgreSQL is away
            }
        }
        if (segment.messages() < files.messagesPerSegment() && segment.end() < SEGMENT_BYTES) {
            open = segment;
        }
    }

    private Segment open() throws IOException {
        if (slot == null) {
            slot = Slot.create(files.slots());
        }
        if (open == null) {
            open = Segment.create(slot, ++number);
            backlog.addLast(open);
        }
        return open;
    }

    /** Deletes the segments that are in the database; the open one too, if nothing is being written to it. */
    synchronized void retireDrained() {
        backlog.all().stream().filter(Segment::isDrained).forEach(this::retire);
    }

    /** Deletes the segment, unless it is the open one: that may be written to again soon. */
    synchronized void retireUnlessOpen(Segment segment) {
        if (segment != open) {
            retire(segment);
        }
    }

    private void retire(Segment segment) {
        if (segment == open) {
            open = null;
        }
        backlog.remove(segment);
        partitions.remove(segment.pending());
        try {
            segment.delete();
            leaveUnlessNeeded(segment.slot());
        } catch (IOException e) {
            LOG.warnf("The drained file %s can't be deleted: %s", segment.file(), e.toString());
        }
    }

    private void leaveUnlessNeeded(Slot of) throws IOException {
        if (of != slot && backlog.all().stream().noneMatch(segment -> segment.slot() == of)) {
            of.leave();
        }
    }

    /** Leaves what is not drained to the next start, or to another server. */
    synchronized void close() {
        try {
            for (Segment segment : backlog.all()) {
                segment.close();
                if (segment.slot() != slot) {
                    segment.slot().leave();
                }
            }
            if (slot != null) {
                slot.leave();
            }
        } catch (IOException e) {
            LOG.warnf("The file buffer in %s was not closed cleanly: %s", files.directory(), e.toString());
        }
    }
}
