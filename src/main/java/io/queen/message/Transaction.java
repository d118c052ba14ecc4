package io.queen.message;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Pushes and acks that apply together or not at all, in the order of the operations.
 *
 * @param requiredLeases when not empty, every ack of a message not yet consumed must be covered by one of them
 */
public record Transaction(List<Operation> operations, Set<UUID> requiredLeases) {

    /** One operation. */
    public sealed interface Operation {}

    public record Push(PushItem item) implements Operation {}

    public record Acknowledge(Ack ack) implements Operation {}

    /** An operation or an ack status that does not exist in transactions: nothing is applied, and this is why. */
    public record Unsupported(String reason) implements Operation {}
}
