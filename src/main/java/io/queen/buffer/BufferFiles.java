package io.queen.buffer;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** Where the buffer is, and how large it may be. */
@Singleton
final class BufferFiles {
    private final Path directory;
    private final long maxBytes;
    private final int messagesPerSegment;

    @Inject
    BufferFiles(QueenConfig config) {
        this(
                Path.of(config.buffer().dir()).toAbsolutePath(),
                ByteSize.bytes(config.buffer().maxSize()),
                config.buffer().eventsPerFile());
    }

    BufferFiles(Path directory, long maxBytes, int messagesPerSegment) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.messagesPerSegment = messagesPerSegment;
    }

    Path directory() {
        return directory;
    }

    Path slots() {
        return directory.resolve("slots");
    }

    Path failed() {
        return directory.resolve("failed");
    }

    long maxBytes() {
        return maxBytes;
    }

    int messagesPerSegment() {
        return messagesPerSegment;
    }
}
