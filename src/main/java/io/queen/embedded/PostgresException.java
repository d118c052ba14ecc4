package io.queen.embedded;

/** The embedded PostgreSQL cannot run; the message is a sentence for the person who started the server. */
public final class PostgresException extends RuntimeException {
    PostgresException(String message) {
        super(message);
    }

    PostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
