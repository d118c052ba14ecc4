package io.queen.message;

import java.util.Locale;
import java.util.UUID;

/**
 * What became of one pushed item.
 *
 * @param messageId of the message; for a duplicate of that stored first; null when it is not in the database
 * @param partitionId null when it is not in the database
 * @param error why it failed, null when it did not
 */
public record PushResult(Status status, UUID messageId, UUID partitionId, String error) {

    /** Where the message is now. */
    public enum Status {
        /** In the database. */
        QUEUED,
        /** Its transaction id was in the database before. */
        DUPLICATE,
        /** On the disk of the server, on its way to the database. */
        BUFFERED,
        /** Nowhere. */
        FAILED;

        /** As the protocol spells it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static PushResult queued(UUID messageId, UUID partitionId) {
        return new PushResult(Status.QUEUED, messageId, partitionId, null);
    }

    public static PushResult duplicate(UUID messageId, UUID partitionId) {
        return new PushResult(Status.DUPLICATE, messageId, partitionId, null);
    }

    public static PushResult buffered() {
        return new PushResult(Status.BUFFERED, null, null, null);
    }

    public static PushResult failed(String error) {
        return new PushResult(Status.FAILED, null, null, error);
    }
}
