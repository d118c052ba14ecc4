package io.queen.buffer;

import io.queen.message.PartitionName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A segment that a journal wrote, to be damaged. */
final class SegmentFile {
    private final Path file;
    private final byte[] whole;
    private final long mark;

    private SegmentFile(Path file) throws IOException {
        String name = file.getFileName().toString();
        this.file = file;
        this.whole = Files.readAllBytes(file);
        this.mark = Long.parseUnsignedLong(name.substring(name.length() - 24, name.length() - 8), 16);
    }

    static SegmentFile write(Path directory, List<byte[]> bodies) throws IOException {
        BufferFiles files = new BufferFiles(directory, Long.MAX_VALUE, Integer.MAX_VALUE);
        Journal journal = new Journal(files, new BufferedPartitions());
        for (byte[] body : bodies) {
            journal.append(List.of(body), Map.of(new PartitionName("q", "p"), 1));
        }
        Path file = journal.next().file;
        journal.close();
        return new SegmentFile(file);
    }

    byte[] bytes() {
        return whole.clone();
    }

    long mark() {
        return mark;
    }

    /** What a reader finds when the file has these bytes instead. */
    List<SegmentReader.Piece> read(byte[] changed) throws IOException {
        Files.write(file, changed);
        List<SegmentReader.Piece> pieces = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            SegmentReader reader = new SegmentReader(channel, mark);
            for (long at = 0;
                    at < changed.length;
                    at = pieces.get(pieces.size() - 1).end()) {
                pieces.add(reader.next(at, changed.length));
            }
        }
        return pieces;
    }

    /** All files under a directory. */
    static List<Path> files(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
