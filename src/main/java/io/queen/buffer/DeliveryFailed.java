package io.queen.buffer;

/** The database did not take buffered messages, for a reason that passes. */
final class DeliveryFailed extends Exception {
    private final int delivered;

    /** {@code delivered} messages before it were taken. */
    DeliveryFailed(Throwable cause, int delivered) {
        super(cause);
        this.delivered = delivered;
    }

    int delivered() {
        return delivered;
    }
}
