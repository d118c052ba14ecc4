package io.queen.message;

import java.util.UUID;

/**
 * What became of one pushed item.
 *
 * @param messageId of the message stored, for a duplicate of the one stored first; null when it is not in the database
 * @param partitionId its partition, null when that is not known
 * @param error why it was refused, null when it was not
 */
public record PushResult(Status status, UUID messageId, UUID partitionId, String error) {

    /** How it went; the names are those of the protocol, in lower case. */
    public enum Status {
        /** Stored. */
        QUEUED("queued"),
        /** Stored before, under the same transaction id. */
        DUPLICATE("duplicate"),
        /** Kept on disk until PostgreSQL takes it. */
        BUFFERED("buffered"),
        /** Refused. */
        FAILED("failed");

        private final String label;

        Status(String label) {
            this.label = label;
        }

        public String label() {
            return label;
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

    public static PushResult failed(UUID partitionId, String error) {
        return new PushResult(Status.FAILED, null, partitionId, error);
    }
}
