package io.queen.buffer;

/** The database did not take buffered messages, for a reason that passes. */
final class DeliveryFailed extends Exception {
    DeliveryFailed(Throwable cause) {
        super(cause);
    }
}
