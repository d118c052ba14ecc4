package io.queen.store;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Brings the schema up to date at start, and waits for a database that is not there yet: the server stays up, says what
 * it tries, and becomes ready by itself.
 */
@Singleton
public final class Schema {
    private static final Logger LOG = Logger.getLogger(Schema.class);
    /** A start with a database at hand opens its port ready; a slow database must not keep the port shut for good. */
    private static final int SECONDS_TO_BLOCK_START = 10;
    /** About a minute, when nothing changes. */
    private static final int ATTEMPTS_BETWEEN_LINES = 12;

    private final Migration migration;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CountDownLatch firstAttempt = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    Schema(Migration migration) {
        this.migration = migration;
    }

    /** Whether the schema is in place. Once true it stays so; it does not tell whether the database is there now. */
    public boolean ready() {
        return ready.isDone();
    }

    /** Completes when the schema is in place, on a thread of its own: take the result to where it is needed. */
    public Uni<Void> whenReady() {
        return Uni.createFrom().completionStage(ready);
    }

    void start(@Observes @Priority(1) StartupEvent event) throws InterruptedException {
        Thread thread = new Thread(this::migrateUntilDone, "queen-schema");
        thread.setDaemon(true);
        thread.start();
        firstAttempt.await(SECONDS_TO_BLOCK_START, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.countDown();
    }

    private void migrateUntilDone() {
        String said = "";
        Optional<String> failure = migration.attempt();
        for (int failures = 1; failure.isPresent(); failures++) {
            said = sayIfNews(failure.get(), said, failures);
            firstAttempt.countDown();
            if (stopsWithin(Backoff.millisAfter(failures))) {
                return;
            }
            failure = migration.attempt();
        }
        if (!said.isEmpty()) {
            LOG.info("The database is there: ready");
        }
        ready.complete(null);
        firstAttempt.countDown();
    }

    private static String sayIfNews(String failure, String said, int failures) {
        if (!failure.equals(said) || failures % ATTEMPTS_BETWEEN_LINES == 0) {
            LOG.warn(failure + "; trying again");
        }
        return failure;
    }

    private boolean stopsWithin(long millis) {
        try {
            return stopping.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
