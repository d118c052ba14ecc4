package io.queen.runtime;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.queen.config.QueenConfig;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;

/**
 * Tells when the server begins to stop: what is in flight is answered, what waits is answered now, nothing new is taken.
 * Its readiness is down {@code queen.shutdown.delay} before, so that a load balancer can learn of it.
 */
@Singleton
public final class Stopping {
    private static final Logger LOG = Logger.getLogger(Stopping.class);

    private final long delayMillis;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean begun;

    Stopping(QueenConfig config) {
        this.delayMillis = config.shutdown().delay() * 1000L;
    }

    public boolean begun() {
        return begun;
    }

    /** Runs when it begins, on a thread of its own. */
    public void onBegin(Runnable listener) {
        listeners.add(listener);
    }

    void prepare(@Observes ShutdownDelayInitiatedEvent event) {
        Thread thread = new Thread(this::begin, "queen-stop");
        thread.setDaemon(true);
        thread.start();
    }

    private void begin() {
        try {
            Thread.sleep(delayMillis);
        } catch (InterruptedException e) {
            LOG.debug("Stopping sooner", e);
        }
        begun = true;
        listeners.forEach(Runnable::run);
    }
}
