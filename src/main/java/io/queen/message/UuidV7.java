package io.queen.message;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes time-ordered UUIDs (RFC 9562, version 7). Those of one instance ascend strictly, also within a millisecond and
 * when the clock steps back: the twelve bits after the time count. Not thread-safe: one for each event loop.
 */
public final class UuidV7 {
    private static final long VARIANT = 0x8000000000000000L;
    private static final long RANDOM_BITS = 0x3FFFFFFFFFFFFFFFL;
    private static final int COUNTER_LIMIT = 1 << 12;

    private long millis;
    private int counter;

    public UUID next() {
        return next(System.currentTimeMillis());
    }

    UUID next(long now) {
        if (now > millis) {
            millis = now;
            counter = ThreadLocalRandom.current().nextInt(COUNTER_LIMIT / 4);
        } else if (++counter == COUNTER_LIMIT) {
            millis++;
            counter = 0;
        }
        long high = millis << 16 | 0x7000 | counter;
        return new UUID(high, VARIANT | (ThreadLocalRandom.current().nextLong() & RANDOM_BITS));
    }
}
