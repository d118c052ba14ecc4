package io.queen.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A directory of segments that belongs to one process. The operating system frees the lock when the process ends, however
 * it ends; then the slot can be adopted.
 */
final class Slot {
    private static final String LOCK = "lock";
    private static final String DRAINED = "drained";
    /**
     * The slots of this process. Their lock files must not be opened again: to close one would free the lock, which
     * belongs to the process and not to the channel.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel lock;

    private Slot(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** A new one. A server that looks for orphans may be faster with the lock: then another is made. */
    static Slot create(Path slots) throws IOException {
        while (true) {
            Path directory = slots.resolve(
                    System.currentTimeMillis() + "-" + ProcessHandle.current().pid());
            Disk.createDirectories(directory);
            try {
                Optional<Slot> slot = adopt(directory);
                if (slot.isPresent()) {
                    return slot.get();
                }
            } catch (IOException e) {
                // A disk without room may have some for the directory and none for its lock.
                Files.deleteIfExists(directory);
                throw e;
            }
        }
    }

    /** The slot in that directory; empty when a process that lives has it. */
    static Optional<Slot> adopt(Path directory) throws IOException {
        if (!HELD.add(directory)) {
            return Optional.empty();
        }
        FileChannel lock = null;
        try {
            lock = lock(directory);
        } finally {
            if (lock == null) {
                HELD.remove(directory);
            }
        }
        return Optional.ofNullable(lock).map(locked -> new Slot(directory, locked));
    }

    /** Null when a process that lives has it, or when it was removed meanwhile. */
    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (NoSuchFileException removedMeanwhile) {
            return null;
        }
        if (channel.tryLock() == null) {
            channel.close();
            return null;
        }
        return channel;
    }

    Path directory() {
        return directory;
    }

    /** What another process has left here, in the order it was written. */
    List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (Path file : segmentFiles()) {
            Segment segment = Segment.open(this, file);
            restorePosition(segment);
            segments.add(segment);
        }
        return segments;
    }

    private List<Path> segmentFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Segment::isSegment).sorted().toList();
        }
    }

    /** Not forced to disk: when it is lost, some messages are drained twice, and are duplicates. */
    void rememberPosition(Segment segment) throws IOException {
        String text = segment.file.getFileName() + " " + segment.position();
        Files.writeString(directory.resolve(DRAINED), text);
    }

    private void restorePosition(Segment segment) {
        try {
            String[] words = Files.readString(directory.resolve(DRAINED)).split(" ", -1);
            if (words.length == 2 && words[0].equals(segment.file.getFileName().toString())) {
                segment.drainedTo(Math.min(Long.parseLong(words[1]), segment.end()));
            }
        } catch (IOException | NumberFormatException e) {
            // Not there, or not whole: from the beginning.
        }
    }

    /** Frees the slot; when nothing is left in it, it goes. */
    void leave() throws IOException {
        try (lock) {
            if (segmentFiles().isEmpty()) {
                Files.deleteIfExists(directory.resolve(DRAINED));
                Files.deleteIfExists(directory.resolve(LOCK));
                Files.deleteIfExists(directory);
            }
        } finally {
            HELD.remove(directory);
        }
    }
}
