package io.queen.buffer;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * What can't be brought to the database and must not hold up the rest: set aside, one file each, for a person to look at.
 * The count is of the whole directory, whichever server wrote there.
 */
@Singleton
final class FailedRecords {
    private static final Logger LOG = Logger.getLogger(FailedRecords.class);

    private final BufferFiles files;
    private volatile Summary summary = new Summary(0, 0);

    FailedRecords(BufferFiles files) {
        this.files = files;
    }

    /** How much was set aside. */
    record Summary(int count, long bytes) {}

    Summary summary() {
        return summary;
    }

    /** Counts anew: a person may have taken files away. */
    void count() throws IOException {
        if (!Files.isDirectory(files.failed())) {
            summary = new Summary(0, 0);
            return;
        }
        try (Stream<Path> entries = Files.list(files.failed())) {
            List<Long> sizes = entries.map(path -> path.toFile().length()).toList();
            summary = new Summary(
                    sizes.size(), sizes.stream().mapToLong(Long::longValue).sum());
        }
    }

    /** A record that is whole: kept as a segment of its own, which can be drained again. */
    void refused(Segment segment, long start, byte[] body, String reason) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(RecordFormat.bytes(body));
        RecordFormat.put(record, segment.mark, body);
        Path file = write(segment, start, "-%016x.segment".formatted(segment.mark), record.array());
        LOG.errorf("A buffered push can't be stored and was set aside as %s: %s", file, reason);
    }

    /** Bytes that are no record. */
    void damaged(Segment segment, long start, byte[] bytes) throws IOException {
        Path file = write(segment, start, ".damaged", bytes);
        LOG.errorf(
                "The buffer file %s is damaged at byte %d: %d bytes were set aside as %s, what follows is drained",
                segment.file, start, bytes.length, file);
    }

    /** A file that the disk does not give back. */
    void unreadable(Segment segment, UncheckedIOException cause) throws IOException {
        Disk.createDirectories(files.failed());
        Path file = files.failed().resolve(stem(segment) + "-%016x.segment".formatted(segment.mark));
        Files.move(segment.file, file, StandardCopyOption.ATOMIC_MOVE);
        count();
        LOG.errorf("The buffer file %s can't be read and was set aside as %s: %s", segment.file, file, cause);
    }

    private Path write(Segment segment, long start, String ending, byte[] bytes) throws IOException {
        Disk.createDirectories(files.failed());
        Path file = files.failed().resolve(stem(segment) + "-" + start + ending);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Disk.sync(files.failed());
        count();
        return file;
    }

    private static String stem(Segment segment) {
        String name = segment.file.getFileName().toString();
        return segment.slot.directory().getFileName() + "-" + name.substring(0, name.lastIndexOf('-'));
    }
}
