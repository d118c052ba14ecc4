package io.queen.database;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.runtime.Backoff;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
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
    /** A database that is away is asked no more rarely than a person would. */
    private static final Backoff PAUSES = Backoff.doubling(500, 5000);
    /** About a minute, when nothing changes. */
    private static final int ATTEMPTS_BETWEEN_LINES = 12;

    private final Migration migration;
    private final Database database;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CountDownLatch firstAttempt = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** Whether the log says anything but that the server runs: then it says too when all is well. */
    private volatile boolean late;

    private volatile String standing = "its schema is being brought up to date";

    Schema(Migration migration, Database database) {
        this.migration = migration;
        this.database = database;
    }

    /** What is true of the database now, in a few words; empty when it is ready. */
    public String standing() {
        return standing;
    }

    /** Whether the schema is in place. Once true it stays so; it does not tell whether the database is there now. */
    public boolean ready() {
        return ready.isDone();
    }

    /** Runs when the schema is in place, on a thread of its own. */
    public void onReady(Runnable action) {
        Uni.createFrom().completionStage(ready).subscribe().with(done -> action.run());
    }

    void start(@Observes @Priority(1) StartupEvent event) throws InterruptedException {
        Thread thread = new Thread(this::migrateUntilDone, "queen-schema");
        thread.setDaemon(true);
        thread.start();
        if (!firstAttempt.await(SECONDS_TO_BLOCK_START, TimeUnit.SECONDS)) {
            late = true;
        }
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.countDown();
    }

    private void migrateUntilDone() {
        Migration.Outcome attempt = migration.attempt();
        String said = "";
        for (int failures = 1; !(attempt instanceof Migration.Outcome.Done); failures++) {
            if (stopsWithin(0)) {
                return;
            }
            String failure = failed(attempt);
            if (!failure.equals(said) || failures % ATTEMPTS_BETWEEN_LINES == 0) {
                LOG.warn(failure + "; trying again");
            }
            said = failure;
            firstAttempt.countDown();
            if (stopsWithin(PAUSES.millisAfter(failures))) {
                return;
            }
            attempt = migration.attempt();
        }
        done((Migration.Outcome.Done) attempt);
    }

    /** The sentence for the log. */
    private String failed(Migration.Outcome attempt) {
        late = true;
        if (attempt instanceof Migration.Outcome.Refused refused) {
            standing = "can't be used, the lines above say why";
            database.refuse();
            return refused.reason();
        }
        Migration.Outcome.Failed failed = (Migration.Outcome.Failed) attempt;
        standing = failed.reached() ? "not usable yet, the lines above say why" : "not reachable yet";
        return failed.reason();
    }

    private void done(Migration.Outcome.Done done) {
        if (!done.warning().isEmpty()) {
            LOG.warn(done.warning());
        }
        standing = "";
        database.admit();
        ready.complete(null);
        firstAttempt.countDown();
        if (late) {
            LOG.infof("The database is there: %s, its schema is in place", database.address());
        }
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
