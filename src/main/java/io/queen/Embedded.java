package io.queen;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.PostgresException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The life of the embedded PostgreSQL in this process: from before the application starts until after it has stopped.
 *
 * <p>The hooks of a JVM run side by side, so ours waits until the application, which Quarkus' hook stops, has put its
 * last words into the database. The wait has an end: a shutdown that hangs must not leave PostgreSQL behind.
 */
final class Embedded {
    private static final Logger LOG = Logger.getLogger(Embedded.class);
    /** What the application may need to stop beside the time that requests get. */
    private static final int SECONDS_TO_STOP = 15;

    private static final long LOOK_AFTER_MS = 1000;
    private static final CountDownLatch APPLICATION_STOPPED = new CountDownLatch(1);
    private static volatile EmbeddedPostgres postgres;
    private static volatile int secondsForRequests;

    private Embedded() {}

    /**
     * Starts it; the answer is the configuration that leads the application there.
     *
     * @param shutdownSeconds what requests get at the end
     */
    static Map<String, String> start(Path directory, int shutdownSeconds) {
        secondsForRequests = shutdownSeconds;
        postgres = EmbeddedPostgres.start(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(Embedded::stopLast, "queen-postgres-stop"));
        Thread nurse = new Thread(Embedded::lookAfter, "queen-postgres-nurse");
        nurse.setDaemon(true);
        nurse.start();
        PostgresAddress address = postgres.address();
        return Map.of(
                "queen.database.host", address.host(),
                "queen.database.port", Integer.toString(address.port()),
                "queen.database.name", address.database(),
                "queen.database.user", address.user(),
                "queen.database.password", address.password());
    }

    /** A PostgreSQL that was killed (by the kernel, when memory is short) is started again. */
    private static void lookAfter() {
        boolean said = false;
        try {
            while (!APPLICATION_STOPPED.await(LOOK_AFTER_MS, TimeUnit.MILLISECONDS)) {
                said = revive(said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean revive(boolean said) {
        try {
            if (postgres.revive()) {
                LOG.warn("The embedded PostgreSQL had ended by itself and was started again");
            }
            return false;
        } catch (IOException | PostgresException e) {
            if (!said) {
                LOG.errorf("The embedded PostgreSQL has ended and can't be started, trying again: %s", e.getMessage());
            }
            return true;
        }
    }

    static Optional<EmbeddedPostgres> running() {
        return Optional.ofNullable(postgres);
    }

    /** The application has stopped. */
    static void stop() {
        APPLICATION_STOPPED.countDown();
        running().ifPresent(EmbeddedPostgres::close);
    }

    private static void stopLast() {
        try {
            APPLICATION_STOPPED.await(secondsForRequests + SECONDS_TO_STOP, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop();
    }
}
