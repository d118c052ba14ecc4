package io.queen.message;

import java.util.List;
import java.util.UUID;

/**
 * What became of a transaction.
 *
 * @param error why nothing was applied; null when all was
 * @param results one per operation, empty on failure
 */
public record TransactionResult(String error, List<OperationResult> results) {

    public static TransactionResult failed(String error) {
        return new TransactionResult(error, List.of());
    }

    /** What became of one operation. */
    public sealed interface OperationResult {}

    public record Pushed(PushItem item, UUID messageId, UUID partitionId) implements OperationResult {}

    public record Acknowledged(Ack ack, AckResult result) implements OperationResult {}
}
