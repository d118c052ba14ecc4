package io.queen;

/** Ends the program before it starts; the message is all that a person needs to read. */
final class UsageException extends RuntimeException {
    private final int exitCode;

    UsageException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
