package io.queen.http;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the server takes in at once, in bytes of request bodies. A body is held several times over on its way to
 * PostgreSQL, so a count of requests alone would not bound the memory. Refused before the body is read.
 */
@Singleton
final class Intake {
    /** The part of the heap that bodies may have, when nothing is configured. */
    private static final int PART_OF_HEAP = 8;

    private final long limit;
    private final AtomicLong inWork = new AtomicLong();

    @Inject
    Intake(QueenConfig config) {
        this(config.http()
                .maxBytesInWork()
                .map(ByteSize::bytes)
                .orElse(Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    Intake(long limit) {
        this.limit = limit;
    }

    /** Takes in a body of that size, to be told {@link #done} later; false when there is no room. One alone always fits. */
    boolean admits(long bytes) {
        long before = inWork.getAndAdd(bytes);
        if (before == 0 || before + bytes <= limit) {
            return true;
        }
        inWork.addAndGet(-bytes);
        return false;
    }

    void done(long bytes) {
        inWork.addAndGet(-bytes);
    }
}
