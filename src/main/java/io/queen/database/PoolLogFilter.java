package io.queen.database;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/**
 * Keeps three complaints out of the log that are about nothing. When a pool could not open a connection it tells the caller,
 * forgets its timer, and later fails the same promise again: a stack trace for every query while PostgreSQL is away. A
 * client that connects in the moment in which the port is closed is told so by its closed connection. And when a client
 * leaves that has sent a request before it had the answer to the last, Vert.x trips over the one it has not begun: any
 * caller could fill the log with that.
 */
@LoggingFilter(name = "driver-noise")
public final class PoolLogFilter implements Filter {

    @Override
    public boolean isLoggable(LogRecord record) {
        return !(record.getThrown() instanceof IllegalStateException noise
                        && (isOfThePool(noise) || isOfAClosedPort(noise)))
                && !(record.getThrown() instanceof NullPointerException trip && isOfARequestNotBegun(trip));
    }

    private static boolean isOfARequestNotBegun(NullPointerException trip) {
        return Stream.of(trip.getStackTrace())
                .limit(1)
                .anyMatch(frame -> frame.getClassName().endsWith(".Http1xServerRequest")
                        && frame.getMethodName().equals("handleException"));
    }

    private static boolean isOfAClosedPort(IllegalStateException late) {
        return Stream.of(late.getStackTrace())
                .limit(1)
                .anyMatch(frame -> frame.getClassName().endsWith(".VertxEventLoopGroup"));
    }

    private static boolean isOfThePool(IllegalStateException twice) {
        return "Result is already complete".equals(twice.getMessage())
                && Stream.of(twice.getStackTrace())
                        .limit(3)
                        .anyMatch(frame -> frame.getClassName().endsWith(".SqlConnectionPool"));
    }
}
