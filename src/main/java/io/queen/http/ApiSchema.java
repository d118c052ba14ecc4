package io.queen.http;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Bodies as the OpenAPI document shows them. The server reads and writes them as streams and never builds these. */
final class ApiSchema {
    private ApiSchema() {}

    record Push(@Schema(required = true) List<Item> items) {}

    record Item(
            @Schema(required = true, maxLength = 255) String queue,

            @Schema(defaultValue = "Default", maxLength = 255)
            String partition,

            @Schema(description = "Any JSON, given back byte for byte")
            Object payload,

            @Schema(description = "Deduplicates within the partition; made by the server when absent", maxLength = 255)
            String transactionId,

            @Schema(format = "uuid") String traceId) {}

    record Ack(
            @Schema(required = true) String transactionId,
            @Schema(required = true, format = "uuid") String partitionId,

            @Schema(
                    defaultValue = "completed",
                    enumeration = {"completed", "success", "failed", "dlq", "retry"})
            String status,

            @Schema(description = "Checked when given") String leaseId,
            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup,

            @Schema(description = "Kept with the dead letter")
            String error) {}

    record AckBatch(
            @Schema(required = true) List<Ack> acknowledgments,
            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup) {}

    record Transaction(@Schema(required = true) List<TransactionOperation> operations, List<String> requiredLeases) {}

    record TransactionOperation(
            @Schema(
                    required = true,
                    enumeration = {"push", "ack"})
            String type,

            @Schema(description = "For push: the items, or one item with its fields flat")
            List<Item> items,

            @Schema(description = "For push") String queue,

            @Schema(description = "For push", defaultValue = "Default")
            String partition,

            @Schema(description = "For push; `data` is the same")
            Object payload,

            @Schema(description = "For ack; for push as in an item")
            String transactionId,

            @Schema(description = "For ack", format = "uuid")
            String partitionId,

            @Schema(
                    description = "For ack",
                    defaultValue = "completed",
                    enumeration = {"completed", "success", "failed", "dlq"})
            String status,

            @Schema(description = "For ack; checked when given")
            String leaseId,

            @Schema(description = "For ack", defaultValue = "__QUEUE_MODE__")
            String consumerGroup,

            @Schema(description = "For ack; kept with the dead letter")
            String error) {}

    record Extend(
            @Schema(defaultValue = "60", minimum = "1") int seconds) {}

    record Configure(
            @Schema(required = true, maxLength = 255) String queue,
            String namespace,
            String task,
            io.queen.message.QueueOptions options) {}

    record Pushed(
            int index,

            @Schema(enumeration = {"queued", "duplicate", "buffered", "failed"})
            String status,

            String transaction_id,
            String transactionId,

            @Schema(format = "uuid", description = "Of a duplicate: the message stored first")
            String message_id,

            @Schema(format = "uuid") String partition_id,
            @Schema(format = "uuid") String trace_id,
            @Schema(description = "Of buffered and failed") String queue,
            @Schema(description = "Of buffered and failed") String partition,
            @Schema(description = "Why it failed") String error,
            String queueName) {}

    record Popped(
            boolean success,
            String queue,
            String partition,
            @Schema(format = "uuid") String partitionId,
            @Schema(description = "Empty with autoAck") String leaseId,
            String consumerGroup,
            int partitionsClaimed,
            List<Message> messages) {}

    record Message(
            @Schema(format = "uuid") String id,
            String transactionId,
            @Schema(format = "uuid") String traceId,
            @Schema(description = "The payload") Object data,
            String producerSub,
            @Schema(format = "date-time") String createdAt,
            String queue,
            String partition,
            @Schema(format = "uuid") String partitionId,
            @Schema(description = "Empty with autoAck") String leaseId,
            String consumerGroup,

            @Schema(description = "How often it was reported as failed")
            int retryCount) {}

    record Acked(
            int index,
            String transactionId,
            boolean success,
            String error,
            String queueName,
            String partitionName,

            @Schema(description = "The group has no lease on the partition any more")
            boolean leaseReleased,

            boolean dlq) {}

    record Extended(
            int index,
            @Schema(format = "uuid") String leaseId,
            boolean success,
            String error,
            @Schema(format = "date-time") String expiresAt,
            @Schema(format = "date-time") String newExpiresAt,
            @Schema(format = "date-time") String lease_expires_at) {}

    record TransactionAnswer(
            @Schema(format = "uuid") String transactionId,
            boolean success,

            @Schema(description = "Why nothing was applied; absent when it was")
            String error,

            List<OperationAnswer> results) {}

    record OperationAnswer(
            int index,
            @Schema(enumeration = {"push", "ack"}) String type,
            boolean success,
            String transactionId,

            @Schema(description = "Of a push", format = "uuid")
            String messageId,

            @Schema(description = "Of a push", format = "uuid")
            String partitionId,

            @Schema(description = "Of a push") String queueName,
            @Schema(description = "Of an ack") String error,
            @Schema(description = "Of an ack") boolean dlq) {}
}
