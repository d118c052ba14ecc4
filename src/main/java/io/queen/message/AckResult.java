package io.queen.message;

/**
 * What became of one acknowledgment.
 *
 * @param error null when it was applied
 * @param queue null when the partition is unknown, like {@code partition}
 * @param leaseReleased the partition has no lease of the group any more
 * @param deadLettered the message went to the dead letters
 * @param pending the group may pop from the partition now
 */
public record AckResult(
        String error, String queue, String partition, boolean leaseReleased, boolean deadLettered, boolean pending) {

    public static AckResult refused(String error) {
        return new AckResult(error, null, null, false, false, false);
    }
}
