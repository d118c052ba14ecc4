package io.queen.web;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Bodies as the OpenAPI document shows them. The server reads and writes them as streams and never builds these. */
public final class ApiSchema {
    private ApiSchema() {}

    public record Push(@Schema(required = true) List<Item> items) {}

    public record Item(
            @Schema(required = true, maxLength = 255) String queue,

            @Schema(defaultValue = "Default", maxLength = 255)
            String partition,

            @Schema(description = "Any JSON, given back byte for byte")
            Object payload,

            @Schema(description = "Deduplicates within the partition; made by the server when absent", maxLength = 255)
            String transactionId,

            @Schema(format = "uuid") String traceId) {}

    public record Ack(
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

    public record AckBatch(
            @Schema(required = true) List<Ack> acknowledgments,
            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup) {}

    public record Transaction(
            @Schema(required = true) List<TransactionOperation> operations, List<String> requiredLeases) {}

    public record TransactionOperation(
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

    public record Extend(
            @Schema(defaultValue = "60", minimum = "1") int seconds) {}

    public record Configure(
            @Schema(required = true, maxLength = 255) String queue,
            @Schema(maxLength = 255, defaultValue = "") String namespace,
            @Schema(maxLength = 255, defaultValue = "") String task,
            Options options) {}

    public record Options(
            @Schema(description = "Seconds; 0 is 60", minimum = "0", maximum = "31536000", defaultValue = "300")
            int leaseTime,

            @Schema(minimum = "0", maximum = "2147483647", defaultValue = "3")
            int retryLimit,

            @Schema(description = "Milliseconds", minimum = "0", maximum = "2147483647")
            int retryDelay,

            @Schema(
                    description = "Messages; 0 is any number",
                    minimum = "0",
                    maximum = "2147483647",
                    defaultValue = "0")
            int maxSize,

            @Schema(
                    description = "Kept and shown, no effect",
                    minimum = "0",
                    maximum = "2147483647",
                    defaultValue = "3600")
            int ttl,

            @Schema(description = "Kept and shown, no effect", defaultValue = "false")
            boolean deadLetterQueue,

            @Schema(description = "Kept and shown, no effect", defaultValue = "false")
            boolean dlqAfterMaxRetries,

            @Schema(minimum = "-2147483648", maximum = "2147483647", defaultValue = "0")
            int priority,

            @Schema(description = "Seconds", minimum = "0", maximum = "31536000", defaultValue = "0")
            int delayedProcessing,

            @Schema(description = "Seconds", minimum = "0", maximum = "31536000", defaultValue = "0")
            int windowBuffer,

            @Schema(description = "Seconds; 0 is for ever", minimum = "0", maximum = "2147483647", defaultValue = "0")
            int retentionSeconds,

            @Schema(description = "Seconds; 0 is for ever", minimum = "0", maximum = "2147483647", defaultValue = "0")
            int completedRetentionSeconds,

            @Schema(description = "On when not given and one of the two above is not 0")
            boolean retentionEnabled,

            @Schema(defaultValue = "false") boolean encryptionEnabled,

            @Schema(description = "Seconds; 0 is for ever", minimum = "0", maximum = "2147483647", defaultValue = "0")
            int maxWaitTimeSeconds) {}

    public record Redrive(
            @Schema(description = "Required here or in the query", maxLength = 255)
            String queue,

            @Schema(description = "Name of the partition", maxLength = 255)
            String partition,

            @Schema(description = "The group for which the messages failed", maxLength = 255)
            String consumerGroup,

            @Schema(description = "Failed at or after: a time, a date, or `5m ago`")
            String from,

            @Schema(description = "Failed at or before") String to,

            @Schema(
                    description =
                            "Push a copy for every group, instead of giving the message to the group that failed it",
                    defaultValue = "false")
            boolean allGroups) {}

    public record Pushed(
            @Schema(required = true) int index,

            @Schema(
                    required = true,
                    enumeration = {"queued", "duplicate", "buffered", "failed"})
            String status,

            @Schema(required = true, description = "Also there as `transaction_id`")
            String transactionId,

            @Schema(format = "uuid", description = "Of a duplicate: the message stored first")
            String message_id,

            @Schema(format = "uuid") String partition_id,
            @Schema(format = "uuid") String trace_id,
            @Schema(description = "Of buffered and failed") String queue,
            @Schema(description = "Of buffered and failed") String partition,
            @Schema(description = "Why it failed") String error,
            @Schema(required = true) String queueName) {}

    public record Popped(
            boolean success,
            String queue,
            String partition,
            @Schema(format = "uuid") String partitionId,
            @Schema(description = "Empty with autoAck") String leaseId,
            String consumerGroup,
            int partitionsClaimed,
            @Schema(required = true) List<Message> messages) {}

    public record Message(
            @Schema(required = true, format = "uuid") String id,
            @Schema(required = true) String transactionId,
            @Schema(format = "uuid") String traceId,
            @Schema(description = "The payload") Object data,
            String producerSub,
            @Schema(required = true, format = "date-time") String createdAt,
            @Schema(required = true) String queue,
            @Schema(required = true) String partition,
            @Schema(required = true, format = "uuid") String partitionId,

            @Schema(required = true, description = "Empty with autoAck")
            String leaseId,

            @Schema(required = true) String consumerGroup,

            @Schema(required = true, description = "How often it was reported as failed")
            int retryCount) {}

    public record Acked(
            @Schema(required = true) int index,
            @Schema(required = true) String transactionId,
            @Schema(required = true) boolean success,
            String error,
            String queueName,
            String partitionName,

            @Schema(required = true, description = "The group has no lease on the partition any more")
            boolean leaseReleased,

            @Schema(required = true) boolean dlq) {}

    public record Extended(
            @Schema(required = true) int index,
            @Schema(required = true, format = "uuid") String leaseId,
            @Schema(required = true) boolean success,
            String error,
            @Schema(required = true, format = "date-time") String expiresAt,
            @Schema(required = true, format = "date-time") String newExpiresAt,
            @Schema(required = true, format = "date-time") String lease_expires_at) {}

    public record TransactionAnswer(
            @Schema(required = true, format = "uuid") String transactionId,
            @Schema(required = true) boolean success,

            @Schema(description = "Why nothing was applied; absent when it was")
            String error,

            @Schema(required = true) List<OperationAnswer> results) {}

    public record OperationAnswer(
            @Schema(required = true) int index,

            @Schema(
                    required = true,
                    enumeration = {"push", "ack"})
            String type,

            @Schema(required = true) boolean success,
            @Schema(required = true) String transactionId,

            @Schema(description = "Of a push", format = "uuid")
            String messageId,

            @Schema(description = "Of a push", format = "uuid")
            String partitionId,

            @Schema(description = "Of a push") String queueName,
            @Schema(description = "Of an ack") String error,
            @Schema(description = "Of an ack") boolean dlq) {}
}
