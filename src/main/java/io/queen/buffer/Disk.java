package io.queen.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Directories that are there after a crash, and that their owner alone can enter: they hold messages. */
final class Disk {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private Disk() {}

    /** Makes the directory and those above it, where they are missing. */
    static void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, PRIVATE);
            sync(parent);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** The names in the directory are on disk when this returns. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Whether the directory can be written to, or made. */
    static boolean isWritable(Path directory) {
        Path existing = nearest(directory);
        return Files.isDirectory(existing) && Files.isWritable(existing);
    }

    /** The directory, or as long as it is not made the one above it that is there. */
    static Path nearest(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing;
    }
}
