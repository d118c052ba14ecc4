package io.queen.buffer;

import io.queen.message.PartitionName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of records. Written at its end by the appender, read by the drain up to {@link #end}, which is never past what
 * is safe on disk.
 */
final class Segment {
    private static final Pattern NAME = Pattern.compile(".*-([0-9a-f]{16})\\.segment");

    final Slot slot;
    final Path file;
    final long mark;
    private final FileChannel channel;
    private final Map<PartitionName, Integer> pending = new HashMap<>();
    private volatile long end;
    private long position;
    private int messages;

    private Segment(Slot slot, Path file, FileChannel channel) throws IOException {
        this.slot = slot;
        this.file = file;
        this.channel = channel;
        this.mark = mark(file);
        this.end = channel.size();
    }

    /** A new, empty one, whose name is on disk when this returns. */
    static Segment create(Slot slot, int number) throws IOException {
        String name = "%08d-%016x.segment".formatted(number, new SecureRandom().nextLong());
        Path file = slot.directory().resolve(name);
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Segment segment = new Segment(slot, file, channel);
        try {
            Disk.sync(slot.directory());
        } catch (IOException e) {
            segment.delete();
            throw e;
        }
        return segment;
    }

    /** One that another process has left. */
    static Segment open(Slot slot, Path file) throws IOException {
        return new Segment(slot, file, FileChannel.open(file, StandardOpenOption.READ));
    }

    static boolean isSegment(Path file) {
        return name(file).matches();
    }

    private static Matcher name(Path file) {
        return NAME.matcher(file.getFileName().toString());
    }

    private static long mark(Path file) {
        Matcher name = name(file);
        if (!name.matches()) {
            throw new IllegalArgumentException(file + " is not named like a segment");
        }
        return Long.parseUnsignedLong(name.group(1), 16);
    }

    /**
     * The records, with so many messages per partition, are on disk when this returns the bytes they take; none of them
     * is when it fails.
     */
    int append(List<byte[]> bodies, Map<PartitionName, Integer> counts) throws IOException {
        ByteBuffer records = ByteBuffer.allocate(
                bodies.stream().mapToInt(RecordFormat::bytes).reduce(0, Math::addExact));
        bodies.forEach(body -> RecordFormat.put(records, mark, body));
        records.flip();
        try {
            for (long at = end; records.hasRemaining(); ) {
                at += channel.write(records, at);
            }
            channel.force(false);
        } catch (IOException e) {
            undo();
            throw e;
        }
        addPending(counts);
        long grown = end + records.limit();
        end = grown;
        messages += BufferedPartitions.total(counts);
        return records.limit();
    }

    private void undo() {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            // What is left may be drained one day: the same messages under the same transaction ids.
        }
    }

    SegmentReader reader() {
        return new SegmentReader(channel, mark);
    }

    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }

    void close() throws IOException {
        channel.close();
    }

    /** Messages that are in no other place yet, before the drain may read them. */
    synchronized void addPending(Map<PartitionName, Integer> counts) {
        counts.forEach((partition, count) -> pending.merge(partition, count, Integer::sum));
    }

    /** They are in the database, or set aside. */
    synchronized void removePending(Map<PartitionName, Integer> counts) {
        counts.forEach((partition, count) ->
                pending.computeIfPresent(partition, (same, now) -> now > count ? now - count : null));
    }

    /** When all is drained: those whose records were not found in the file any more. */
    synchronized Map<PartitionName, Integer> pending() {
        return Map.copyOf(pending);
    }

    int messages() {
        return messages;
    }

    /** Up to where it may be read. */
    long end() {
        return end;
    }

    /** Up to where it was drained; touched by the drain only. */
    long position() {
        return position;
    }

    void drainedTo(long place) {
        position = place;
    }

    boolean isDrained() {
        return position >= end;
    }
}
