package io.queen.web;

import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the server takes in at once, in bytes of request bodies. A body is held several times over on its way to
 * PostgreSQL, so a count of requests alone would not bound the memory. What counts is what is here: a body that is
 * announced and not sent takes none.
 *
 * <p>A quarter more is kept for the first bytes of every body, so that large ones, arriving or in work, never stand in
 * the way of the small ones that most are. A body for which there is no room is refused and gives back what it had: of
 * many that each arrived halfway some go, and the others arrive.
 */
@Singleton
final class BodyMemory {
    /** The part of the heap that bodies may have, when nothing is configured. */
    private static final int PART_OF_HEAP = 8;

    /** What a small body has at most. */
    static final int SMALL = 64 << 10;

    private final long limit;
    private final long limitOfSmall;
    private final AtomicLong held = new AtomicLong();

    @Inject
    BodyMemory(QueenConfig config) {
        this(config.http()
                .maxBytesInWork()
                .map(ByteSize::bytes)
                .orElse(Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    BodyMemory(long limit) {
        this.limit = limit;
        this.limitOfSmall = limit + Math.max(limit / 4, SMALL);
    }

    /** The largest body for which there can be room. */
    long limit() {
        return limit;
    }

    /**
     * Counts more bytes of a body, until they are {@link #release released}; false when there is no room.
     *
     * @param had what it has reserved before
     */
    boolean reserve(long had, long more) {
        long now = held.addAndGet(more);
        if (now <= (had + more <= SMALL ? limitOfSmall : limit)) {
            return true;
        }
        held.addAndGet(-more);
        return false;
    }

    void release(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Bytes of bodies that are here. */
    long held() {
        return held.get();
    }

    /** Whether there is little left, so that a body that does not move has to go sooner. */
    boolean isShort() {
        return held.get() > limit / 2;
    }
}
