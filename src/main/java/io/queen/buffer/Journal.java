package io.queen.buffer;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * The segments that are not in the database yet, in the order in which they go there: those that other servers have left,
 * then those that this server writes, in a slot of its own. The last of them is open; slot and file are made when they
 * are first needed. The appender writes while the drain reads: what changes the open segment is done one after the other,
 * and to look at the list waits for nothing.
 */
@Singleton
final class Journal {
    private static final Logger LOG = Logger.getLogger(Journal.class);
    private static final long SEGMENT_BYTES = 64L * 1024 * 1024;

    private final BufferFiles files;
    private final BufferedPartitions partitions;
    private final CopyOnWriteArrayList<Segment> segments = new CopyOnWriteArrayList<>();
    private final AtomicLong bytes = new AtomicLong();
    private Slot slot;
    private Segment open;
    private int number;

    Journal(BufferFiles files, BufferedPartitions partitions) {
        this.files = files;
        this.partitions = partitions;
    }

    /** In their order, as it is now. */
    List<Segment> segments() {
        return List.copyOf(segments);
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** On disk. */
    long bytes() {
        return bytes.get();
    }

    /** The first that has something to drain, null when none has. */
    Segment next() {
        return segments.stream()
                .filter(segment -> !segment.isDrained())
                .findFirst()
                .orElse(null);
    }

    /** What another server has left comes first: pushes to its partitions are buffered behind it from now on. */
    void addFirst(List<Segment> orphans) {
        orphans.forEach(segment -> bytes.addAndGet(segment.end()));
        segments.addAll(0, orphans);
    }

    /**
     * The records, with so many messages per partition, are on disk when this returns; none of them is when it fails.
     * After a failure nothing more is written to that file.
     */
    synchronized void append(List<byte[]> bodies, Map<PartitionName, Integer> counts) throws IOException {
        Segment segment = open();
        open = null;
        try {
            bytes.addAndGet(segment.append(bodies, counts));
        } finally {
            if (segment.end() == 0) {
                retire(segment); // the drain would do so, but not while PostgreSQL is away
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
            segments.add(open);
        }
        return open;
    }

    /** Deletes the segments that are in the database; the open one too, if nothing is being written to it. */
    synchronized void retireDrained() {
        segments.stream().filter(Segment::isDrained).forEach(this::retire);
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
        segments.remove(segment);
        bytes.addAndGet(-segment.end());
        partitions.remove(segment.pending());
        try {
            segment.delete();
            if (segment.slot != slot && segments.stream().noneMatch(other -> other.slot == segment.slot)) {
                segment.slot.leave();
            }
        } catch (IOException e) {
            LOG.warnf("The drained file %s can't be deleted: %s", segment.file, e.toString());
        }
    }

    /** Leaves what is not drained to the next start, or to another server. */
    synchronized void close() {
        try {
            for (Segment segment : segments) {
                segment.close();
                if (segment.slot != slot) {
                    segment.slot.leave();
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
