package io.queen.bench;

/** The run can't go on; the message is all that a person needs to read. */
final class BenchException extends RuntimeException {
    BenchException(String message) {
        super(message);
    }
}
