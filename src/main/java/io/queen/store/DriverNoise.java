package io.queen.store;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/**
 * Keeps one complaint of the driver out of the log. When a pool could not open a connection it tells the caller, forgets
 * its timer, and later fails the same promise again: a stack trace for every query while PostgreSQL is away, about
 * nothing.
 */
@LoggingFilter(name = "driver-noise")
public final class DriverNoise implements Filter {

    @Override
    public boolean isLoggable(LogRecord record) {
        return !(record.getThrown() instanceof IllegalStateException twice && isOfThePool(twice));
    }

    private static boolean isOfThePool(IllegalStateException twice) {
        return "Result is already complete".equals(twice.getMessage())
                && Stream.of(twice.getStackTrace())
                        .limit(3)
                        .anyMatch(frame -> frame.getClassName().endsWith(".SqlConnectionPool"));
    }
}
