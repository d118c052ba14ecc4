package io.queen;

import io.queen.postgres.EmbeddedPostgres;
import io.queen.postgres.PostgresAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The life of the embedded PostgreSQL in this process: from before the application starts until after it has stopped.
 *
 * <p>The hooks of a JVM run side by side, so ours waits until the application, which Quarkus' hook stops, has put its
 * last words into the database. The wait has an end: a shutdown that hangs must not leave PostgreSQL behind.
 */
final class Embedded {
    private static final int SECONDS_TO_STOP = 30;
    private static final CountDownLatch APPLICATION_STOPPED = new CountDownLatch(1);
    private static volatile EmbeddedPostgres postgres;

    private Embedded() {}

    /** Starts it; the answer is the configuration that leads the application there. */
    static Map<String, String> start(Path directory) {
        postgres = EmbeddedPostgres.start(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(Embedded::stopLast, "queen-postgres-stop"));
        PostgresAddress address = postgres.address();
        return Map.of(
                "queen.database.host", address.host(),
                "queen.database.port", Integer.toString(address.port()),
                "queen.database.name", address.database(),
                "queen.database.user", address.user(),
                "queen.database.password", address.password());
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
            APPLICATION_STOPPED.await(SECONDS_TO_STOP, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop();
    }
}
