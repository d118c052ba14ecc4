package io.queen.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One server per data directory. The operating system drops the lock when the process ends, however it ends, so that
 * there is no stale lock to remove by hand.
 */
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock take(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("queen.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (locked(channel)) {
            return new DirectoryLock(channel);
        }
        channel.close();
        throw new PostgresException("Another Queen is running on the data directory " + directory
                + "; stop it, or choose another directory with QUEEN_DATA_DIR.");
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
