package io.queen.encryption;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.queen.message.PoppedMessage;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** Tells the operator of payloads that no key opens: a count, and a line in the log once a minute. */
@Singleton
public final class UnreadablePayloads {
    private static final Logger LOG = Logger.getLogger(UnreadablePayloads.class);
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Counter counter;
    private final AtomicLong untold = new AtomicLong();
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    UnreadablePayloads(MeterRegistry registry) {
        counter = Counter.builder("queen.payload.unreadable")
                .description("Times that a popped payload could not be decrypted")
                .register(registry);
    }

    public void found(PoppedMessage message, OpenedPayload opened) {
        counter.increment();
        untold.incrementAndGet();
        long due = next.get();
        long now = System.nanoTime();
        if (now - due >= 0 && next.compareAndSet(due, now + PAUSE)) {
            LOG.warnf(
                    "%d payloads can't be decrypted and are not delivered, the last in queue %s, partition %s: %s",
                    untold.getAndSet(0),
                    message.claim().queue(),
                    message.claim().partition(),
                    opened.problem());
        }
    }
}
