package io.queen.buffer;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** Where the buffer is, and how large it may be. */
@Singleton
record BufferFiles(Path directory, long maxBytes, int messagesPerSegment) {
    @Inject
    BufferFiles(QueenConfig config) {
        this(
                Path.of(config.buffer().dir()).toAbsolutePath(),
                ByteSize.bytes(config.buffer().maxSize()),
                config.buffer().eventsPerFile());
    }

    Path slots() {
        return directory.resolve("slots");
    }

    Path failed() {
        return directory.resolve("failed");
    }
}
