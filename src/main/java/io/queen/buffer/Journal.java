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
    private final BufferedPartitions lanes;
    private Slot slot;
    private Segment open;
    private int number;
    private long writes;

    Journal(BufferFiles files, Backlog backlog, BufferedPartitions lanes) {
        this.files = files;
        this.backlog = backlog;
        this.lanes = lanes;
    }

    /** The records, which hold these partitions, are on disk when this returns; none of them is when it fails. */
    synchronized void append(List<byte[]> bodies, Map<PartitionName, Integer> messages) throws IOException {
        Segment segment = open();
        int count = messages.values().stream().mapToInt(Integer::intValue).sum();
        boolean written = false;
        try {
            segment.owe(messages);
            backlog.grew(segment.append(bodies, count));
            writes++;
            written = true;
        } finally {
            if (!written) {
                giveUp(segment, messages);
            }
        }
        if (segment.messages() >= files.messagesPerSegment() || segment.end() >= SEGMENT_BYTES) {
            open = null;
        }
    }

    /** Nothing more is written to that file; without a record it would be left for as long as PostgreSQL is away. */
    private void giveUp(Segment segment, Map<PartitionName, Integer> messages) {
        segment.settle(messages);
        open = null;
        if (segment.end() == 0) {
            retire(segment);
        }
    }

    /** How often the disk was asked to make sure. */
    synchronized long writes() {
        return writes;
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
        for (Segment segment : backlog.drained()) {
            retire(segment);
        }
    }

    /** Deletes the segment, unless it is the open one: that may be written to again soon. */
    synchronized void retireUnlessOpen(Segment segment) {
        if (segment != open) {
            retire(segment);
        }
    }

    /** Gives up the segment, whose file somebody else has now. */
    synchronized void abandon(Segment segment) {
        retire(segment);
    }

    private void retire(Segment segment) {
        if (segment == open) {
            open = null;
        }
        backlog.remove(segment);
        lanes.free(segment.unsettled());
        try {
            segment.delete();
            if (segment.slot() != slot && !backlog.has(segment.slot())) {
                segment.slot().leave();
            }
        } catch (IOException e) {
            LOG.warnf("The drained file %s can't be deleted: %s", segment.file(), e.toString());
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
